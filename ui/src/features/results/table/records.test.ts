import { describe, expect, it } from "vitest";

import { finish } from "../json/steps";
import { readTape, sourceOf } from "../json/tape";
import { cellsOf, cellWords, delimitedSteps, type Order, orderSteps, type Records, recordSteps } from "./records";

function recordsOf(value: unknown): Records | null {
  const read = finish(readTape(typeof value === "string" ? value : JSON.stringify(value)));
  if ("problem" in read) throw new Error(read.problem.message);
  return finish(recordSteps(read.ok, 0));
}

function column(records: Records, name: string, order: Order | null): (string | undefined)[] {
  return [...finish(orderSteps(records, order))].map((row) => {
    const node = cellsOf(records.tape, row).get(name);
    return node === undefined ? undefined : sourceOf(records.tape, node);
  });
}

describe("structured content as rows", () => {
  it("are a list of objects, or the one such list in an object", () => {
    expect(recordsOf([{ a: 1 }, { b: 2, a: 3 }])?.columns).toEqual(["a", "b"]);
    expect(recordsOf({ total: 2, items: [{ a: 1 }], tags: ["x"] })).toMatchObject({ under: "items", columns: ["a"] });
    for (const none of [[], [1, { a: 1 }], { a: [{ x: 1 }], b: [{ y: 1 }] }, { a: 1 }, "\"text\"", 3, null]) {
      expect(recordsOf(none), JSON.stringify(none)).toBeNull();
    }
  });
  it("are sorted by number, then by text; what isn't there stays last", () => {
    const records = recordsOf('[{"v":10},{"v":"b"},{},{"v":9.5},{"v":"A"},{"v":null},{"v":9007199254740993}]')!;
    expect(column(records, "v", null)).toEqual(["10", '"b"', undefined, "9.5", '"A"', "null", "9007199254740993"]);
    expect(column(records, "v", { column: "v", down: false })).toEqual(["9.5", "10", "9007199254740993", '"A"', '"b"', undefined, "null"]);
    expect(column(records, "v", { column: "v", down: true }).slice(0, 5)).toEqual(['"b"', '"A"', "9007199254740993", "10", "9.5"]);
    expect(column(records, "v", { column: "v", down: true }).slice(5).filter((one) => one !== undefined && one !== "null")).toEqual([]);
  });
  it("become CSV with quotes where they are needed, and nothing cut", () => {
    const records = recordsOf([{ a: 'x,"y"', b: 1 }, { a: "line\nend", c: { d: [1] } }, { a: "z".repeat(1_000) }])!;
    expect(finish(delimitedSteps(records, ","))).toBe(
      `a,b,c\r\n"x,""y""",1,\r\n"line\nend",,"{""d"":[1]}"\r\n${"z".repeat(1_000)},,`,
    );
    expect(finish(delimitedSteps(records, "\t")).split("\r\n")[0]).toBe("a\tb\tc");
  });
  it("are cut in their cells", () => {
    const records = recordsOf([{ a: "z".repeat(10_000), b: [1, 2] }])!;
    const cells = cellsOf(records.tape, records.rows[0] ?? 0);
    expect(cellWords(records.tape, cells.get("a")!)).toHaveLength(200);
    expect(cellWords(records.tape, cells.get("b")!)).toBe("[1,2]");
  });
  it("of 50,000 are read and sorted", () => {
    const records = recordsOf(Array.from({ length: 50_000 }, (_, index) => ({ index, turned: -index })))!;
    expect(column(records, "index", { column: "turned", down: false })[0]).toBe("49999");
  });
});
