/** Past calls for tests, written directly into the mock engine's history. */
import { fireEvent, screen } from "@testing-library/react";
import type { UserEvent } from "@testing-library/user-event";

import type { CallEnd, RecordedCall } from "../../ipc/bindings";
import type { MockBridge } from "../../ipc/mock";
import { mockMember, mockTool, mockView } from "../../ipc/mock/members";

const input = { type: "object", properties: { path: { type: "string" }, token: { type: "string" } } };

export function forge() {
  return mockMember(mockView("forge"), [
    mockTool("forge", { name: "heat", description: "Heats a piece.", input }),
    mockTool("forge", { name: "melt", description: "Melts it.", hints: { destructive: true }, input }),
  ]);
}

export function answered(text: string, isError = false): CallEnd {
  return { kind: "result", result: JSON.stringify({ content: [{ type: "text", text }] }), isError };
}

export function cancelled(): CallEnd {
  return {
    kind: "failed",
    report: { code: "call-cancelled", message: "You cancelled the call.", hint: "", member: "forge" },
    rpc: null,
    arguments: [],
    stderr: [],
  };
}

/** The answer of the check to wrong arguments. */
export function unfit(): CallEnd {
  return {
    kind: "failed",
    report: { code: "arguments-invalid", message: "The arguments do not fit.", hint: "", member: "forge" },
    rpc: null,
    arguments: [{ pointer: "/path", message: "is no number", keyword: "type" }],
    stderr: [],
  };
}

interface Sketch extends Partial<Omit<RecordedCall, "arguments" | "entry">> {
  readonly tool?: string;
  readonly member?: string;
  readonly args?: string;
  readonly atMs?: number;
}

let number = 0;

export function record(bridge: MockBridge, sketch: Sketch = {}) {
  number += 1;
  const { tool = "heat", member = "forge", args = '{"path":"sword"}', atMs = Date.now() - 60_000, end = answered("glows"), ...changes } = sketch;
  const entry = bridge.history.record(
    { call: `call-${number}`, member, tool, startedAtMs: atMs, durationMs: 84, request: null, structured: null, end },
    args,
    changes,
  );
  if (!entry) throw new Error("the mock hall recorded nothing");
  return entry;
}

/** Sets a filter with the menu. */
export async function narrow(user: UserEvent, kind: string, value: string): Promise<void> {
  await user.click(screen.getByRole("button", { name: "Filter" }));
  await user.click(await screen.findByRole("menuitem", { name: kind }));
  // Without a layout, moving the pointer to the submenu closes it.
  fireEvent.click(await screen.findByRole("menuitem", { name: value }));
}

/** Removes a filter with its chip. */
export async function widen(user: UserEvent, label: string): Promise<void> {
  await user.click(screen.getByRole("button", { name: `Remove filter ${label}` }));
}

/** Chooses from the menu of the toolbar. */
export async function chooseMore(user: UserEvent, label: string): Promise<void> {
  await user.click(screen.getByRole("button", { name: "More actions for the history" }));
  await user.click(await screen.findByRole("menuitem", { name: label }));
}
