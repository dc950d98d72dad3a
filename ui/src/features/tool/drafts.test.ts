import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import type { KeepDraft } from "../../ipc/bindings";
import { DraftKeeper } from "./drafts";

function keeper(kept: string | null = null) {
  const written: KeepDraft[] = [];
  const found: string[] = [];
  let fails = false;
  const made = new DraftKeeper({
    keep: (request) => {
      written.push(request);
      return fails ? Promise.reject(new Error("The disk is full.")) : Promise.resolve({});
    },
    found: (_member, _tool, text) => found.push(text),
    kept: () => (fails ? Promise.reject(new Error("No answer.")) : Promise.resolve({ draft: kept, keptAtMs: null, trouble: null })),
  });
  return { made, written, found, fail: (now: boolean) => (fails = now) };
}

describe("kept drafts", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("are written once the typing rests, the newest of each tool alone", async () => {
    const { made, written } = keeper();
    await made.open("forge", "heat", true);
    await made.open("forge", "quench", true);
    made.note("forge", "heat", () => "a");
    made.note("forge", "heat", () => "ab");
    made.note("forge", "quench", () => "c");
    vi.advanceTimersByTime(300);
    made.note("forge", "heat", () => "abc");
    vi.advanceTimersByTime(500);
    expect(written).toEqual([]);
    vi.advanceTimersByTime(200);
    expect(written).toEqual([
      { member: "forge", tool: "quench", draft: "c" },
      { member: "forge", tool: "heat", draft: "abc" },
    ]);
  });

  it("are written at once when the tool is left, and not twice", async () => {
    const { made, written } = keeper();
    await made.open("forge", "heat", true);
    made.note("forge", "heat", () => "a");
    void made.flush();
    made.note("forge", "heat", () => "a");
    void made.flush();
    vi.runAllTimers();
    expect(written).toHaveLength(1);
    made.note("forge", "heat", () => null);
    void made.flush();
    expect(written[1]).toEqual({ member: "forge", tool: "heat", draft: null });
  });

  it("are kept when the flush has its answer, however shortly before it they were typed", async () => {
    const { made, written } = keeper();
    await made.open("forge", "heat", true);
    made.note("forge", "heat", () => "typed just now");
    await made.flush();
    expect(written).toEqual([{ member: "forge", tool: "heat", draft: "typed just now" }]);
  });

  it("are kept also when the tool was opened in the same moment, over what was read then", async () => {
    const { made, written, found } = keeper("earlier");
    void made.open("forge", "heat", true);
    made.note("forge", "heat", () => "typed at once");
    await made.flush();
    expect(found).toEqual(["earlier"]);
    expect(written).toEqual([{ member: "forge", tool: "heat", draft: "typed at once" }]);
  });

  it("are not written again when they are what was read", async () => {
    const { made, written, found } = keeper("same");
    await made.open("forge", "heat", true);
    expect(found).toEqual(["same"]);
    made.note("forge", "heat", () => "same");
    void made.flush();
    expect(written).toEqual([]);
  });

  it("that could not be written are tried again with the next change, and nobody is stopped", async () => {
    const { made, written, fail } = keeper();
    await made.open("forge", "heat", true);
    fail(true);
    made.note("forge", "heat", () => "a");
    void made.flush();
    await vi.runAllTimersAsync();
    fail(false);
    made.note("forge", "heat", () => "a");
    void made.flush();
    expect(written).toHaveLength(2);
  });

  it("are not written over what could not be read yet; it is handed on once it is read", async () => {
    const { made, written, found, fail } = keeper("earlier");
    fail(true);
    await made.open("forge", "heat", true);
    made.note("forge", "heat", () => "typed");
    void made.flush();
    await vi.runAllTimersAsync();
    expect(written).toEqual([]);
    expect(found).toEqual([]);
    fail(false);
    made.note("forge", "heat", () => "typed on");
    await vi.runAllTimersAsync();
    expect(found).toEqual(["earlier"]);
    expect(written).toEqual([{ member: "forge", tool: "heat", draft: "typed on" }]);
  });
});
