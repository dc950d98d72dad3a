import { describe, expect, it } from "vitest";

import { openGroups } from "./disclosure";
import { draftFromJson } from "./model/json";
import { normalize } from "./model/normalize";

const NONE: ReadonlySet<string> = new Set();
const object = (properties: Record<string, unknown>, required: string[] = []) => ({ type: "object", properties, required });
const many = (count: number, schema: unknown) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}`, schema]));

describe("open groups", () => {
  it("are those that are required or filled", () => {
    const inner = object({ x: { type: "string" } });
    const node = normalize(object({ needed: inner, filled: inner, unset: inner }, ["needed"]));
    const open = openGroups(node, draftFromJson('{"filled":{}}'), new Map(), NONE);
    expect([...open].sort()).toEqual(["", "/filled", "/needed"]);
  });

  it("stay bounded: a group that finds no more room waits for a click", () => {
    const large = object(many(30, { type: "string" }));
    const node = normalize(object(many(30, large), Object.keys(many(30, 0))));
    const open = openGroups(node, draftFromJson("{}"), new Map(), NONE);
    expect(open.size).toBeLessThan(7);
    const asked = openGroups(node, draftFromJson("{}"), new Map([["/f29", true]]), NONE);
    expect(asked.has("/f29")).toBe(true);
  });

  it("do not close because another one grew a little", () => {
    const lists = many(5, { type: "array", items: { type: "string" } });
    const node = normalize(object({ ...lists, last: object(many(30, { type: "string" })) }));
    const filled = (count: number) => {
      const items = Array(count).fill("x");
      return draftFromJson(JSON.stringify({ f0: items, f1: items, f2: items, f3: items, f4: items, last: {} }));
    };
    const chosen = new Map(["/f0", "/f1", "/f2", "/f3", "/f4"].map((pointer) => [pointer, true]));
    const before = openGroups(node, filled(5), chosen, NONE);
    expect(before.has("/last")).toBe(true);
    expect(openGroups(node, filled(30), chosen, before).has("/last")).toBe(true);
    expect(openGroups(node, filled(30), chosen, NONE).has("/last")).toBe(false);
  });

  it("end at twelve levels", () => {
    let schema: unknown = { type: "string" };
    for (let level = 0; level < 30; level += 1) schema = object({ in: schema }, ["in"]);
    expect(openGroups(normalize(schema), draftFromJson("{}"), new Map(), NONE).size).toBe(12);
  });

  it("do not follow a recursion that nobody filled", () => {
    const node = normalize({ ...object({ left: { $ref: "#" }, right: { $ref: "#" } }, ["left", "right"]) });
    expect(openGroups(node, draftFromJson("{}"), new Map(), NONE).size).toBeLessThanOrEqual(5);
  });
});
