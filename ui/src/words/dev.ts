import { counted } from "./format";

export const words = {
  /** How a round ended, to be spoken. */
  ended: (member: string, step: string, tools: number, examples: number) =>
    [`${member}: ${step}`, tools > 0 ? `${counted(tools, { one: "tool", other: "tools" })} changed` : "", examples > 0 ? `${counted(examples, { one: "example", other: "examples" })} failed` : ""].filter(Boolean).join(", "),
};
