import { describe, expect, it } from "vitest";

import { dayStart, EVERYTHING, filterOf, fits, isFiltering, NO_FILTER, wrongSpan, type Span } from "./filter";

const NOW = new Date(2026, 2, 29, 15, 30).getTime();
const at = (...parts: [number, number, number]) => new Date(...parts).getTime();
const times = (span: Span) => {
  const { sinceMs, untilMs } = filterOf({ ...EVERYTHING, span }, NOW);
  return [sinceMs, untilMs];
};

describe("a filter", () => {
  it("leaves nothing out while nothing is chosen, blank words included", () => {
    expect(filterOf({ ...EVERYTHING, text: "  " }, NOW)).toEqual(NO_FILTER);
    expect(isFiltering(filterOf(EVERYTHING, NOW))).toBe(false);
    expect(isFiltering(filterOf({ ...EVERYTHING, caller: "command-line" }, NOW))).toBe(true);
  });

  it("counts days by the calendar of the place, also where one has 23 hours", () => {
    expect(times({ kind: "today" })).toEqual([at(2026, 2, 29), null]);
    expect(times({ kind: "week" })).toEqual([at(2026, 2, 23), null]);
    expect(dayStart(NOW, 1)).toBe(at(2026, 2, 28));
  });

  it("takes both days of a range in, and either of them alone", () => {
    expect(times({ kind: "range", from: "2026-03-01", to: "2026-03-02" })).toEqual([at(2026, 2, 1), at(2026, 2, 3)]);
    expect(times({ kind: "range", from: "2026-03-01", to: "" })).toEqual([at(2026, 2, 1), null]);
    expect(times({ kind: "range", from: "", to: "2026-03-02" })).toEqual([null, at(2026, 2, 3)]);
  });

  it("says when a range ends before it begins, and not when it is one day", () => {
    expect(wrongSpan({ kind: "range", from: "2026-03-02", to: "2026-03-01" })).toMatch(/ends before/);
    expect(wrongSpan({ kind: "range", from: "2026-03-02", to: "2026-03-02" })).toBeNull();
  });

  it("knows by itself whether a call fits, unless words are looked for", () => {
    const entry = {
      id: 1,
      call: "c",
      atMs: NOW,
      caller: "window",
      client: null,
      member: "forge",
      tool: "heat",
      outcome: "ok",
      code: null,
      durationMs: 1,
      size: 1,
      summary: "{}",
      traceId: null,
      session: null,
    } as const;
    expect(fits(entry, NO_FILTER)).toBe(true);
    expect(fits(entry, { ...NO_FILTER, untilMs: NOW })).toBe(false);
    expect(fits(entry, { ...NO_FILTER, sinceMs: NOW })).toBe(true);
    expect(fits(entry, { ...NO_FILTER, text: "sword" })).toBeNull();
    expect(fits(entry, { ...NO_FILTER, text: "sword", tool: "melt" })).toBe(false);
    const of = { client: null, session: null, first: 1, last: 2 };
    expect(fits(entry, { ...NO_FILTER, session: of })).toBe(false);
    const byAgent = { ...entry, caller: "agent" } as const;
    expect(fits(byAgent, { ...NO_FILTER, session: of })).toBe(true);
    expect(fits({ ...byAgent, id: 3 }, { ...NO_FILTER, session: of })).toBe(false);
    expect(fits(byAgent, { ...NO_FILTER, session: { ...of, session: "other" } })).toBe(false);
  });
});
