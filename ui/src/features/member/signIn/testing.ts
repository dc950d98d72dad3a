/** Mock data of a remote member, for tests and screenshots. */
import type { MemberView } from "../../../ipc/bindings";
import type { MockOptions } from "../../../ipc/mock";
import { mockMember, mockTool, mockView } from "../../../ipc/mock/members";

const NEEDED: Partial<MemberView> = {
  status: "error",
  error: {
    code: "sign-in-needed",
    message: "The server requires a sign-in.",
    hint: "Sign in on the member's page, or with `guildhall auth sign-in` and the member's name.",
    member: "forge",
  },
};

export function elsewhere(changes: Partial<MemberView> = NEEDED): MockOptions {
  const view = mockView("forge", { description: "Heats, shapes and cools metal, far away", transport: "http", port: null, pid: null, ...changes });
  return { members: [mockMember(view, [mockTool("forge", { name: "heat", description: "Heats a piece." })])] };
}
