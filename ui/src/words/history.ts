import { counted } from "./format";

const calls = (count: number) => counted(count, { one: "call", other: "calls" });

/** Which calls are to be removed: one, those that fit the filter, or all. */
export type Removal = "one" | "fitting" | "all";

const removeQuestion: Record<Removal, string> = {
  one: "Remove this call from the history?",
  fitting: "Remove the calls that fit the filter from the history?",
  all: "Remove all calls from the history?",
};

export const words = {
  calls,

  removeQuestion,
};
