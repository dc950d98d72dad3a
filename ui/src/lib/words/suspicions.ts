import type { SuspicionKind } from "../../ipc/bindings";

export const words: Record<SuspicionKind, string> = {
  invisible: "Characters that can't be seen",
  instruction: "Words meant for a model",
  "look-alike": "A name that looks like another",
  shadows: "A name that another member has",
};
