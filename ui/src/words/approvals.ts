import { counted } from "./format";

/** The agents' calls that wait for a person. */
export const words = {
  /** The same, of elements. */
  asks: "{client} wants to call {tool} of {member}",
  wait: (count: number) => counted(count, { one: "call waits", other: "calls wait" }),
  endings: {
    once: "you allowed it once",
    always: "you allowed it, now and from now on",
    deny: "you denied it",
  },
};
