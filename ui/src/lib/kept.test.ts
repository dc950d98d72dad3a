import { describe, expect, it, vi } from "vitest";

import { keep, numberWithin, readKept, textsWithin } from "./kept";

const percent = numberWithin(50, 300);

describe("what is kept", () => {
  it("comes back, and is forgotten on request", () => {
    keep("zoom", 150);
    expect(readKept("zoom", percent, 100)).toBe(150);
    keep("zoom", undefined);
    expect(localStorage).toHaveLength(0);
    expect(readKept("zoom", percent, 100)).toBe(100);
  });

  it.each(["", "{", "null", '"150"', "[150]", "1e999", "{}"])("is not taken from garbage: %s", (text) => {
    localStorage.setItem("guild-hall.zoom", text);
    expect(readKept("zoom", percent, 100)).toBe(100);
  });

  it("is brought between its limits", () => {
    keep("zoom", 9_000);
    expect(readKept("zoom", percent, 100)).toBe(300);
    keep("zoom", -1);
    expect(readKept("zoom", percent, 100)).toBe(50);
  });

  it("is bounded in number and length", () => {
    keep("recent", ["a", 7, "b".repeat(50), "c", "d"]);
    expect(readKept("recent", textsWithin(2, 10), [])).toEqual(["a", "c"]);
    keep("recent", ["x".repeat(20_000)]);
    expect(readKept("recent", textsWithin(2, 10), [])).toEqual(["a", "c"]);
    localStorage.setItem("guild-hall.recent", JSON.stringify(["x".repeat(20_000)]));
    expect(readKept("recent", textsWithin(2, 50_000), [])).toEqual([]);
  });

  it("is done without where storage is switched off", () => {
    const refuse = () => {
      throw new DOMException("denied", "SecurityError");
    };
    vi.stubGlobal("localStorage", { getItem: refuse, setItem: refuse });
    keep("zoom", 150);
    expect(readKept("zoom", percent, 100)).toBe(100);
  });
});
