import type { Code, MemberName } from "../bindings";
import { Refusal } from "../bridge";

/** The failure of a command. */
export function refusal(code: Code, message: string, hint = "", member: MemberName | null = null): Refusal {
  return new Refusal({ code, message, hint, member });
}
