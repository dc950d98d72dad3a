/** Test helpers that write past calls directly into the mock engine's history, and operate the History page. */
import { fireEvent, screen } from "@testing-library/react";
import type { UserEvent } from "@testing-library/user-event";

import type { RecordedCall } from "../../ipc/bindings";
import type { MockBridge } from "../../ipc/mock";
import { mockMember, mockTool, mockView } from "../../ipc/mock/members";
import { textEnd } from "../../testing/callEnds";

const input = { type: "object", properties: { path: { type: "string" }, token: { type: "string" } } };

export function forge() {
  return mockMember(mockView("forge"), [
    mockTool("forge", { name: "heat", description: "Heats a piece.", input }),
    mockTool("forge", { name: "melt", description: "Melts it.", hints: { destructive: true }, input }),
  ]);
}

interface Sketch extends Partial<Omit<RecordedCall, "arguments" | "entry">> {
  readonly tool?: string;
  readonly member?: string;
  readonly args?: string;
  readonly atMs?: number;
  /** The agent that makes the call; by default the window makes it. */
  readonly agent?: string;
}

let number = 0;

export function record(bridge: MockBridge, sketch: Sketch = {}) {
  number += 1;
  const { tool = "heat", member = "forge", args = '{"path":"sword"}', atMs = Date.now() - 60_000, end = textEnd("glows"), agent, ...changes } = sketch;
  const entry = bridge.history.record(
    { call: `call-${number}`, member, tool, startedAtMs: atMs, durationMs: 84, request: null, structured: null, end },
    args,
    changes,
    agent === undefined ? undefined : { caller: "agent", client: agent, session: `${agent}-1` },
  );
  if (!entry) throw new Error("the mock hall recorded nothing");
  return entry;
}

/** Sets a filter through the Filter menu. */
export async function narrow(user: UserEvent, kind: string, value: string): Promise<void> {
  await user.click(screen.getByRole("button", { name: "Filter" }));
  await user.click(await screen.findByRole("menuitem", { name: kind }));
  // Tests have no layout, so moving the pointer to the submenu closes it. `fireEvent` does not move the pointer.
  fireEvent.click(await screen.findByRole("menuitem", { name: value }));
}

/** Removes a filter by a click on its chip. */
export async function widen(user: UserEvent, label: string): Promise<void> {
  await user.click(screen.getByRole("button", { name: `Remove filter ${label}` }));
}

/** Selects an item of the toolbar's menu. */
export async function chooseMore(user: UserEvent, label: string): Promise<void> {
  await user.click(screen.getByRole("button", { name: "More actions for the history" }));
  await user.click(await screen.findByRole("menuitem", { name: label }));
}
