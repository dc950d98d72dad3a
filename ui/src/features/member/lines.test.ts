import { describe, expect, it } from "vitest";

import { countAfter, emptyLog, fits, LINES_MAX, readable, rowsOf, withEarlier, withLines } from "./lines";

function line(seq: number, text = "") {
  return { seq, start: 1, atMs: 0, text };
}

describe("a line of stderr", () => {
  it("loses its colours, cursor movements and window titles", () => {
    expect(readable("\u001b[1;31mred\u001b[0m \u001b]0;title\u0007plain\u001b[2K")).toBe("red plain");
  });

  it("shows control characters and keeps tabs", () => {
    expect(readable("a\u0007b\u0000c\td\u007f")).toBe("a^Gb^@c\td^?");
  });

  it("shows what would turn the reading direction round or can't be seen", () => {
    expect(readable("gpj\u202egnp.exe")).toBe("gpj⟨202e⟩gnp.exe");
  });

  it("is not slowed down by an escape code without an end", () => {
    const text = "\u001b]".repeat(20_000);
    const began = performance.now();
    readable(text);
    expect(performance.now() - began).toBeLessThan(1_000);
  });
});

describe("the log", () => {
  it("takes no line twice, whichever way it came", () => {
    const live = withLines(emptyLog, [line(3), line(4)]);
    const whole = withEarlier(live, [line(1), line(2), line(3)]);
    expect(withLines(whole, [line(4), line(5)]).lines.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5]);
  });

  it("begins again with a member that was taken away and added", () => {
    const log = withLines(emptyLog, [{ ...line(7), atMs: 1 }]);
    const again = withLines(log, [{ ...line(0), atMs: 2 }]);
    expect(again.lines.map(({ seq }) => seq)).toEqual([0]);
  });

  it("keeps older lines while one looks at them", () => {
    const log = withLines(emptyLog, [line(10)]);
    const back = withEarlier(log, Array.from({ length: LINES_MAX }, (_, seq) => line(seq)).slice(0, 10));
    expect(withLines(back, [line(11)], 0, 100).lines.map(({ seq }) => seq)).toEqual([...Array(12).keys()]);
    expect(withLines(back, [line(11)], 0, 2).lines.map(({ seq }) => seq)).toEqual([10, 11]);
  });

  it("shows where a start begins, and where lines are missing", () => {
    const lines = [line(0), line(1), { ...line(5), start: 2 }];
    expect(rowsOf(lines, true).map(({ kind }) => kind)).toEqual(["start", "line", "line", "gap", "start", "line"]);
    expect(rowsOf(lines, false).map(({ kind }) => kind)).toEqual(["start", "line", "line", "start", "line"]);
  });

  it("finds what a reader sees, whatever its case", () => {
    const red = line(1, "a \u001b[31mRed\u001b[0m line");
    expect(fits(red, { contains: "red LINE", start: null })).toBe(true);
    expect(fits(red, { contains: "red", start: 2 })).toBe(false);
    expect(fits(red, { contains: "blue", start: 1 })).toBe(false);
  });

  it("holds a bounded number of lines and counts those that came too fast", () => {
    const many = Array.from({ length: LINES_MAX + 10 }, (_, seq) => line(seq));
    const log = withLines(emptyLog, many, 7);
    expect(log.lines).toHaveLength(LINES_MAX);
    expect(log.lines[0]?.seq).toBe(10);
    expect(log.missing).toBe(7);
    expect([emptyLog.cut, log.cut]).toEqual([false, true]);
  });

  it("counts the lines after one, which may have left", () => {
    const lines = [line(3), line(5), line(8)];
    expect([-1, 3, 4, 8, 9].map((seq) => countAfter(lines, seq))).toEqual([3, 2, 2, 0, 0]);
    expect(countAfter([], 3)).toBe(0);
  });
});
