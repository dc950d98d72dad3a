import type { ToolChoice } from "../bridge/bindings";

const whichTools: Record<ToolChoice["kind"], string> = {
  all: "all, also those that it will have",
  only: "only those that are marked",
  except: "all but those that are not marked",
};

const marks = "Space marks a tool, Enter says something else of it.";

export const words = {
  toolsOf: (member: string) => `Tools of ${member}`,

  whichTools,
  marks,
};
