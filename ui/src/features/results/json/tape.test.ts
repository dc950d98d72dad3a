import { describe, expect, it } from "vitest";

import { prettySteps } from "./pretty";
import { finish, inSlices } from "./steps";
import { childAt, DEPTH_MAX, keyAt, kindOf, pointerOf, readTape, sourceOf, stringAt, type Tape } from "./tape";

function tapeOf(text: string): Tape {
  const read = finish(readTape(text));
  if ("problem" in read) throw new Error(`${read.problem.message} at ${read.problem.offset}`);
  return read.ok;
}

/** A pseudo-random value that contains every kind of JSON. The same seed gives the same value. */
function anyValue(seed: number): unknown {
  let state = seed;
  const roll = (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const text = () => ["", "a", "\"q\"", "\\", "line\nbreak", "ü€😀", "/~1", "\u0007"][roll(8)];
  const value = (depth: number): unknown => {
    switch (roll(depth > 5 ? 5 : 7)) {
      case 0: return null;
      case 1: return roll(2) === 0;
      case 2: return roll(1_000) - 500;
      case 3: return roll(1_000) / 7;
      case 4: return text();
      case 5: return Array.from({ length: roll(5) }, () => value(depth + 1));
      default: return Object.fromEntries(Array.from({ length: roll(5) }, (_, index) => [`${text()}${index}`, value(depth + 1)]));
    }
  };
  return value(0);
}

describe("JSON as a tape", () => {
  it("accepts and refuses what JSON.parse does", () => {
    const texts = [
      "", " ", "1", " 1 ", "01", "-", "-0", "1.", ".5", "1e5", "1E+5", "1e", "+1", "NaN", "tru", "true", "false", "null", "nul",
      "[]", "[ ]", "[1,]", "[,1]", "[1 2]", "{}", "{ }", '{"a":1}', '{"a":1,}', '{"a"}', "{a:1}", '{"a":}', "[1", "]", "[1]]", "{]", "[}",
      '"', '"a', '"\\x"', '"\\u12"', '"\\u12g4"', '"\\u00e9"', '"a\nb"', '"\t"', '"\u007f"', "[1]x", "\ufeff1", '{"a":1 "b":2}', '"\\', '"\\"', '{"a":[{"b":null}],"c":""}',
    ];
    for (const text of texts) {
      let right = true;
      try {
        JSON.parse(text);
      } catch {
        right = false;
      }
      expect("ok" in finish(readTape(text)), JSON.stringify(text)).toBe(right);
    }
  });

  it("any cut of a document is refused with a place inside it, and never thrown", () => {
    const text = JSON.stringify(anyValue(7)) + JSON.stringify({ a: [1.5, "x\\y", { b: null }] });
    for (let cut = 0; cut < text.length; cut += 1) {
      const read = finish(readTape(`[${text.slice(0, cut)}`));
      if ("problem" in read) expect(read.problem.offset).toBeLessThanOrEqual(cut + 1);
    }
  });

  it("what is written over several lines is the same value, for 300 generated ones", () => {
    for (let seed = 1; seed <= 300; seed += 1) {
      const value = anyValue(seed);
      for (const text of [JSON.stringify(value), JSON.stringify(value, null, 3)]) {
        expect(finish(prettySteps(tapeOf(text)))).toBe(JSON.stringify(value, null, 2));
      }
    }
  });

  it("keeps digits, escapes and repeated keys as they were sent", () => {
    const text = '{"a":9007199254740993,"b":1.0,"\\u0061":1e400,"c" : "\\u00e9"}';
    const tape = tapeOf(text);
    expect(finish(prettySteps(tape))).toBe('{\n  "a": 9007199254740993,\n  "b": 1.0,\n  "\\u0061": 1e400,\n  "c": "\\u00e9"\n}');
    expect(sourceOf(tape, childAt(tape, 0, "a"))).toBe("1e400");
    expect(stringAt(tape, childAt(tape, 0, "c"))).toBe("é");
  });

  it("each value's pointer leads back to it, where no key is repeated", () => {
    for (let seed = 1; seed <= 100; seed += 1) {
      const value = anyValue(seed);
      const tape = tapeOf(JSON.stringify(value));
      for (let node = 0; node < tape.size; node += 1) {
        const keys = pointerOf(tape, node).split("/").slice(1).map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
        const there = keys.reduce<unknown>((held, key) => (held as Record<string, unknown>)[key], value);
        expect(JSON.parse(sourceOf(tape, node))).toEqual(JSON.parse(JSON.stringify(there)));
      }
    }
  });

  it("a key like __proto__ is a key like any other", () => {
    const tape = tapeOf('{"__proto__":{"x":1},"constructor":2}');
    expect(kindOf(tape, childAt(tape, 0, "__proto__"))).toBe("object");
    expect(childAt(tape, 0, "toString")).toBe(-1);
    expect(keyAt(tape, 1)).toBe("__proto__");
  });

  it("nesting is bounded, with words", () => {
    const deep = (levels: number) => finish(readTape("[".repeat(levels) + "]".repeat(levels)));
    expect("ok" in deep(DEPTH_MAX)).toBe(true);
    expect(deep(DEPTH_MAX + 1)).toHaveProperty("problem.message", `Nested deeper than ${DEPTH_MAX} levels.`);
    expect("problem" in deep(1_000_000)).toBe(true);
  });

  it("is read in slices that let others go first, and can be called off", async () => {
    const text = JSON.stringify(Array.from({ length: 300_000 }, (_, index) => ({ index })));
    let others = 0;
    const timer = setInterval(() => (others += 1), 0);
    const read = await inSlices(readTape(text), new AbortController().signal);
    clearInterval(timer);
    expect(read !== null && "ok" in read && read.ok.size).toBe(600_001);
    expect(others).toBeGreaterThan(0);
    const called = new AbortController();
    const off = inSlices(readTape(text), called.signal);
    called.abort();
    expect(await off).toBeNull();
  });
});
