import { fireEvent, screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { textOf } from "../../testing/text";

import { evaluated, fieldStateOf } from "./model/conditions";
import { draftFromJson } from "./model/json";
import { normalize } from "./model/normalize";
import { secondOpinion } from "./testing/validate";
import { showForm } from "./testing/harness";

const text = { type: "string" };
const row = (page: HTMLElement, pointer: string) => page.querySelector<HTMLElement>(`[data-place="${pointer}"]`)!;
const field = (page: HTMLElement, pointer: string) => row(page, pointer).querySelector<HTMLElement>("input, [role=radiogroup]")!;
const chooseAction = (value: string) => fireEvent.click(screen.getByRole("radio", { name: value }));

describe("a field that depends on others", () => {
  const schema = {
    type: "object",
    properties: { action: { enum: ["create", "delete"] }, start: text, end: text, url: text },
    required: ["action"],
    if: { properties: { action: { const: "delete" } }, required: ["action"] },
    then: { required: ["url"], properties: { reason: text, start: false } },
    else: { properties: { color: text } },
    dependentRequired: { end: ["start"] },
  };

  it("is marked as required while the values of the others demand it", () => {
    const { container } = showForm(schema);
    expect(field(container, "/url")).toHaveAttribute("aria-required", "false");
    chooseAction("delete");
    expect(field(container, "/url")).toHaveAttribute("aria-required", "true");
    expect(textOf(row(container, "/url"))).toMatchInlineSnapshot(`"url*textrequired by action"`);
    chooseAction("create");
    expect(field(container, "/url")).toHaveAttribute("aria-required", "false");
    fireEvent.change(field(container, "/end"), { target: { value: "x" } });
    expect(textOf(row(container, "/start"))).toMatchInlineSnapshot(`"start*textrequired by end"`);
  });

  it("is dimmed while it does not apply, and is not once it has a value", () => {
    const { container } = showForm(schema);
    const dimmed = (pointer: string) => row(container, pointer).className.includes("opacity-60");
    expect(dimmed("/reason")).toBe(true);
    expect(textOf(row(container, "/reason"))).toMatchInlineSnapshot(`"reasontextdoes not apply now"`);
    expect(dimmed("/color")).toBe(false);
    chooseAction("delete");
    expect(["/reason", "/color", "/start"].map(dimmed)).toEqual([false, true, true]);
    fireEvent.change(field(container, "/color"), { target: { value: "x" } });
    expect(dimmed("/color")).toBe(false);
  });

  it("is shown where it became required behind a button", () => {
    const properties = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`f${index}`, text]));
    const { container } = showForm({ type: "object", properties, dependentRequired: { f0: ["f55"] } });
    expect(row(container, "/f55")).toBeNull();
    fireEvent.change(field(container, "/f0"), { target: { value: "x" } });
    expect(field(container, "/f55")).toHaveAttribute("aria-required", "true");
  });

  it("stays as it was where nobody can tell", () => {
    showForm({ type: "object", properties: { a: text }, if: { properties: { a: { pattern: "^x" } } }, then: { properties: { b: text } } }, { json: '{"a":"x"}' });
    expect(screen.getByText("conditional")).toBeVisible();
  });
});

describe("a condition", () => {
  const conditions = [
    { properties: { a: { const: 1 } } },
    { properties: { a: { enum: ["x", null, [1, { b: 2 }]] } }, required: ["a"] },
    { required: ["a", "b"] },
    { not: { required: ["a"] } },
    { anyOf: [{ required: ["a"] }, { properties: { b: { type: "integer" } }, required: ["b"] }] },
    { oneOf: [{ required: ["a"] }, { required: ["b"] }] },
    { allOf: [{ required: ["a"] }, { properties: { a: { type: ["string", "null"], minLength: 2 } } }] },
    { properties: { a: { minimum: 3, exclusiveMaximum: 5 }, b: { maxItems: 1 } } },
    { properties: { a: { properties: { b: { const: true } }, required: ["b"] } }, title: "T" },
    true,
    false,
    { $ref: "#/$defs/c" },
  ];
  const values = [
    "{}", '{"a":1}', '{"a":1.0,"b":[1]}', '{"a":"x"}', '{"a":null,"b":2}', '{"a":[1,{"b":2}]}', '{"b":2.5}', '{"b":[1,2]}',
    '{"a":4}', '{"a":5,"b":1}', '{"a":{"b":true}}', '{"a":{"b":"true"}}', '{"a":"yes"}',
  ];

  it.each(conditions.map((condition) => [JSON.stringify(condition), condition] as const))("%s is met as another validator says", (_, condition) => {
    const $defs = { c: { required: ["b"] } };
    const check = secondOpinion({ $defs, allOf: [condition] });
    const node = normalize({ type: "object", $defs, if: condition, then: { required: ["t"] }, else: { required: ["e"] } });
    if (node.kind !== "object" || check === null) throw new Error("There are no fields.");
    for (const json of values) {
      const rules = evaluated(node.rules, draftFromJson(json));
      const required = node.fields.filter((one) => fieldStateOf(one, rules).required).map(({ key }) => key);
      expect(required, json).toEqual([check(json) ? "t" : "e"]);
    }
  });
});
