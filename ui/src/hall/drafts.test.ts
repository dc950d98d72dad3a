import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import type { KeepDraft } from "../bridge/bindings";
import { DraftKeeper } from "./drafts";

function keeper(kept: string | null = null) {
  const written: KeepDraft[] = [];
  let fails = false;
  const made = new DraftKeeper({
    keep: (request) => {
      written.push(request);
      return fails ? Promise.reject(new Error("The disk is full.")) : Promise.resolve({});
    },
    kept: () => (fails ? Promise.reject(new Error("No answer.")) : Promise.resolve({ draft: kept, keptAtMs: null, trouble: null })),
  });
  return { made, written, fail: (now: boolean) => (fails = now) };
}

describe("kept drafts", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("are written once the typing rests, the newest of each tool alone", () => {
    const { made, written } = keeper();
    made.note("forge", "heat", () => "a");
    made.note("forge", "heat", () => "ab");
    made.note("forge", "quench", () => "c");
    vi.advanceTimersByTime(300);
    made.note("forge", "heat", () => "abc");
    vi.advanceTimersByTime(500);
    expect(written).toEqual([]);
    vi.advanceTimersByTime(200);
    expect(written).toEqual([
      { member: "forge", tool: "heat", draft: "abc" },
      { member: "forge", tool: "quench", draft: "c" },
    ]);
  });

  it("are written at once when the tool is left, and not twice", () => {
    const { made, written } = keeper();
    made.note("forge", "heat", () => "a");
    made.flush();
    made.note("forge", "heat", () => "a");
    made.flush();
    vi.runAllTimers();
    expect(written).toHaveLength(1);
    made.note("forge", "heat", () => null);
    made.flush();
    expect(written[1]).toEqual({ member: "forge", tool: "heat", draft: null });
  });

  it("are not written again when they are what was read", async () => {
    const { made, written } = keeper("same");
    expect(await made.read("forge", "heat")).toBe("same");
    made.note("forge", "heat", () => "same");
    made.flush();
    expect(written).toEqual([]);
  });

  it("that could not be written are tried again with the next change, and nobody is stopped", async () => {
    const { made, written, fail } = keeper();
    fail(true);
    expect(await made.read("forge", "heat")).toBeNull();
    made.note("forge", "heat", () => "a");
    made.flush();
    await vi.runAllTimersAsync();
    fail(false);
    made.note("forge", "heat", () => "a");
    made.flush();
    expect(written).toHaveLength(2);
  });
});
