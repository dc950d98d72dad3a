import type { McpbChange } from "../bridge/bindings";

const changes: Record<McpbChange, string> = { same: "the same file", newer: "newer", older: "older", other: "another file" };

export const words = {
  byteUnits: ["bytes", "KiB", "MiB", "GiB"],
  runsOn: (system: string, runtimes: readonly string[]) => `Runs on ${system}${runtimes.length > 0 ? ` (${runtimes.join(", ")})` : ""}.`,

  changes,
};
