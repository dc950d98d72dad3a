/** Mock data of a member under development, for tests and screenshots. */
import type { CallOutcome, ExampleDifference } from "../../../ipc/bindings";
import type { MockBridge, MockOptions } from "../../../ipc/mock";
import { mockMember, mockTool, mockView } from "../../../ipc/mock/members";

export function followed(): MockOptions {
  const tools = [mockTool("forge", { name: "heat", description: "Heats a piece." }), mockTool("forge", { name: "melt", description: "Melts a piece." })];
  return { members: [mockMember(mockView("forge", { description: "Heats, shapes and cools metal" }), tools)] };
}

export function examples(bridge: MockBridge): void {
  bridge.dev.states.set("forge", {
    watch: { patterns: ["src/**/*.py", "!src/**/test_*"], build: "make forge", files: 12, folders: 3 },
    examples: [
      { name: "repeats", tool: "heat", arguments: '{"piece":"bar"}', expects: ["it works"] },
      { name: "is warm", tool: "heat", arguments: '{"piece":"bar","degrees":900}', expects: ['its structured content has {"degrees":900}'] },
    ],
  });
}

export const WARM: ExampleDifference = { part: "structured", place: "/degrees", expected: "900", got: "20" };

export const REPEATS: CallOutcome = {
  call: "call-1",
  member: "forge",
  tool: "heat",
  startedAtMs: 0,
  durationMs: 12,
  request: null,
  structured: null,
  end: { kind: "result", result: '{"content":[]}', isError: false },
};
