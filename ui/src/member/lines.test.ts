import { describe, expect, it } from "vitest";

import { emptyLog, LINES_MAX, readable, withEarlier, withLines } from "./lines";

function line(seq: number, text = "") {
  return { seq, atMs: 0, text };
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
    const log = withLines(emptyLog, [{ seq: 7, atMs: 1, text: "" }]);
    const again = withLines(log, [{ seq: 0, atMs: 2, text: "" }]);
    expect(again.lines.map(({ seq }) => seq)).toEqual([0]);
  });

  it("holds a bounded number of lines and counts those that came too fast", () => {
    const many = Array.from({ length: LINES_MAX + 10 }, (_, seq) => line(seq));
    const log = withLines(emptyLog, many, 7);
    expect(log.lines).toHaveLength(LINES_MAX);
    expect(log.lines[0]?.seq).toBe(10);
    expect(log.missing).toBe(7);
  });
});
