import { describe, expect, it, vi } from "vitest";

import type { HallEvent, RosterView } from "../../ipc/bindings";
import { mockView } from "../../ipc/mock/members";
import { countMembers, nothingYet, reduce, WARNINGS_MAX, withRoster } from "./state";

function roster(revision: number, ...names: string[]): RosterView {
  return { revision, membersDir: "/m", members: names.map((name) => mockView(name)), error: null };
}

function after(...events: [number, HallEvent][]) {
  return events.reduce(
    (state, [revision, event]) => reduce(state, { revision, event }),
    withRoster(nothingYet, roster(10, "forge", "anvil")),
  );
}

describe("the state of the hall", () => {
  it("keeps the members sorted, whatever the order they come in", () => {
    const state = after([11, { kind: "member_added", member: mockView("bellows") }]);
    expect(state.members.map((member) => member.name)).toEqual(["anvil", "bellows", "forge"]);
  });

  it("takes a change in and leaves the other members as they are", () => {
    const before = after();
    const state = reduce(before, {
      revision: 11,
      event: { kind: "member_changed", member: mockView("forge", { status: "error" }) },
    });
    expect(state.byName.get("forge")?.status).toBe("error");
    expect(state.byName.get("anvil")).toBe(before.byName.get("anvil"));
  });

  it("ignores what the roster includes already", () => {
    const state = after([10, { kind: "member_removed", member: "forge" }]);
    expect(state.byName.has("forge")).toBe(true);
  });

  it("keeps the newest state of a member, in whatever order events come", () => {
    const changed = (attempt: number): HallEvent => ({ kind: "member_changed", member: mockView("forge", { attempt }) });
    const state = after([12, changed(2)], [11, changed(1)]);
    expect(state.byName.get("forge")?.attempt).toBe(2);
    const gone = after([12, { kind: "member_removed", member: "forge" }], [11, changed(1)]);
    expect(gone.byName.has("forge")).toBe(false);
    expect(reduce(gone, { revision: 13, event: { kind: "member_added", member: mockView("forge") } }).byName.has("forge")).toBe(true);
  });

  it("keeps what happened after the roster that comes late", () => {
    const changed = (name: string): HallEvent => ({ kind: "member_changed", member: mockView(name, { attempt: 7 }) });
    const late: HallEvent = { kind: "roster", roster: roster(13, "forge", "anvil", "tongs") };
    const before = after(
      [14, changed("forge")],
      [15, { kind: "member_removed", member: "tongs" }],
      [16, { kind: "call_started", call: "new", member: "anvil", tool: "t" }],
      [12, { kind: "call_started", call: "old", member: "anvil", tool: "t" }],
    );
    const state = reduce(before, { revision: 13, event: late });
    expect(state.members.map(({ name, attempt }) => [name, attempt])).toEqual([["anvil", 0], ["forge", 7]]);
    expect([...state.running.keys()]).toEqual(["new"]);
    expect(reduce(state, { revision: 12, event: { kind: "roster", roster: roster(12) } })).toBe(state);
  });

  it("draws nothing anew for a member that is told as it is", () => {
    // Views contain the time of their creation, so the clock is stopped.
    vi.spyOn(Date, "now").mockReturnValue(Date.now());
    const before = after();
    const same = reduce(before, { revision: 11, event: { kind: "member_changed", member: mockView("forge") } });
    expect(same.members).toBe(before.members);
    expect(same.byName).toBe(before.byName);
    const other = reduce(same, { revision: 12, event: { kind: "member_changed", member: mockView("forge", { calls: 1 }) } });
    expect(other.byName.get("forge")?.calls).toBe(1);
  });

  it("req_mcp_tool_16: an updated list grows the member's generation and no other", () => {
    const before = after();
    const state = reduce(before, {
      revision: 11,
      event: {
        kind: "tools_updated",
        member: "forge",
        count: 2,
        diff: { added: ["a"], removed: [], changed: [] },
      },
    });
    expect(state.generations.get("forge")).toBeGreaterThan(before.generations.get("forge") ?? 0);
    expect(state.generations.get("anvil")).toBe(before.generations.get("anvil"));
  });

  it("a member that merely changes its status keeps the generation of its list", () => {
    const before = after();
    const state = reduce(before, {
      revision: 11,
      event: { kind: "member_changed", member: mockView("forge", { status: "stopped" }) },
    });
    expect(state.generations).toBe(before.generations);
  });

  it("a list that was read anew while events were missed grows its generation, whatever its count", () => {
    const listed = (listedAtMs: number): RosterView => ({
      ...roster(20),
      members: [mockView("forge", { listedAtMs }), mockView("anvil", { listedAtMs: 1 })],
    });
    const before = withRoster(nothingYet, listed(1));
    const state = withRoster(before, listed(2));
    expect(state.generations.get("forge")).toBeGreaterThan(before.generations.get("forge") ?? 0);
    expect(state.generations.get("anvil")).toBe(before.generations.get("anvil"));
  });

  it("follows a call from its start over its progress to its end", () => {
    const started = after([11, { kind: "call_started", call: "c", member: "forge", tool: "t" }]);
    expect(started.running.size).toBe(1);
    const progress = { progress: 1, total: 2, message: "half" };
    const going = reduce(started, { revision: 12, event: { kind: "call_progress", call: "c", progress } });
    expect(going.running.get("c")?.progress).toEqual(progress);
    const ended = reduce(going, {
      revision: 13,
      event: { kind: "call_finished", call: "c", member: "forge", tool: "t", durationMs: 3, isError: false, error: null },
    });
    expect(ended.running.size).toBe(0);
  });

  it("keeps a bounded number of warnings, the newest", () => {
    const events = Array.from({ length: WARNINGS_MAX + 5 }, (_, index): [number, HallEvent] => [
      11 + index,
      { kind: "warning", report: { code: "cache-unwritable", message: String(index), hint: "", member: null } },
    ]);
    const state = after(...events);
    expect(state.warnings).toHaveLength(WARNINGS_MAX);
    expect(state.warnings.at(-1)?.message).toBe(String(WARNINGS_MAX + 4));
  });

  it("counts who is up, on the way, and in need of someone", () => {
    const members = (["ready", "starting", "error", "backoff", "crash-loop", "stopped", "disabled"] as const).map(
      (status) => mockView(status, { status }),
    );
    expect(countMembers(members)).toEqual({ ready: 1, starting: 1, failed: 3 });
  });
});
