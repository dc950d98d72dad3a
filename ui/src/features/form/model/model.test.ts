import { describe, expect, it } from "vitest";

import { HARD_CASES, REAL_TOOLS } from "../testing/schemas";
import { ABSENT, childOf, type Draft, draftOf, number, object, text, updateAt, withField } from "./draft";
import { drawable, fit, variantOf } from "./fit";
import { draftFromJson, parseJson, toEditableText, toJsonText } from "./json";
import type { FormNode } from "./node";
import { normalize } from "./normalize";
import { numberProblem, sameNumber } from "./number";
import { readSchema } from "./readSchema";
import { fillDefaults, initialDraft, switched } from "./start";

const NODES_MAX = 4_000;

/** All nodes of a form, each once, also if the schema is recursive. */
function nodesOf(root: FormNode): Set<FormNode> {
  const seen = new Set<FormNode>();
  const open = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (seen.has(node) || seen.size > NODES_MAX) continue;
    seen.add(node);
    if (node.kind === "object") {
      open.push(...node.fields.map((field) => field.node()));
      open.push(...(node.extra?.patterns.map((one) => one.node()) ?? []));
      if (node.extra?.open) open.push(node.extra.open());
    } else if (node.kind === "array") {
      open.push(...node.slots.map((slot) => slot()));
      if (node.item !== null) open.push(node.item());
    } else if (node.kind === "union") {
      open.push(...node.variants.map((variant) => variant.node()));
    }
  }
  return seen;
}

function written(draft: Draft): string {
  const result = toJsonText(draft);
  return "ok" in result ? result.ok : `✕ ${result.errors.map((one) => one.message).join(" ")}`;
}

const field = (schema: unknown): FormNode => {
  const node = normalize({ type: "object", properties: { it: schema } });
  return node.kind === "object" ? node.fields[0]!.node() : node;
};

describe("numbers", () => {
  it.each(["1e-9", "-0", "9007199254740993", "0", "1.50", "1E+3", "123456789012345678901234567890.5"])(
    "%s is kept as it is written",
    (source) => {
      expect(numberProblem(source)).toBeNull();
      expect(written(draftFromJson(`{"n":${source}}`))).toBe(`{"n":${source}}`);
    },
  );
  it.each(["1.", "abc", "", " 1", "+1", ".5", "01", "1,5", "0x10", "NaN", "Infinity", "1e", "-", "1_000"])(
    "“%s” is refused with a reason",
    (source) => {
      expect(numberProblem(source)).toMatch(/\.$/);
      expect(toJsonText(object([["n", number(source)]]))).toEqual({
        errors: [{ pointer: "/n", message: numberProblem(source) }],
        rest: '{"n":null}',
      });
    },
  );
  it("knows one number in two spellings", () => {
    expect(sameNumber("1.0", "1")).toBe(true);
    expect(sameNumber("100", "1e2")).toBe(true);
    expect(sameNumber("9007199254740993", "9007199254740992")).toBe(false);
    expect(sameNumber("-1", "1")).toBe(false);
  });
});

describe("JSON text", () => {
  const texts = ['{"a":[1,2,{"b":null}],"":"","é":"\\ud83d\\ude00"}', "[]", '"x\\ny"', "true", "-0", " { } "];
  it.each(texts)("reads %s as JSON.parse does", (source) => {
    const read = parseJson(source);
    expect("ok" in read && JSON.parse(written(read.ok))).toEqual(JSON.parse(source));
  });
  it.each(["{", '{"a":}', "[1,]", '{"a":1,}', "tru", "'x'", '"a\nb"', '"\\x"', "1 2", "{a:1}", "01", '"open', "nul\u00a0l"])(
    "refuses %s, as JSON.parse does",
    (source) => {
      expect(() => JSON.parse(source) as unknown).toThrow();
      expect(parseJson(source)).toHaveProperty("problem");
    },
  );
  it("says where a mistake is", () => {
    expect(parseJson('{\n  "a": tru\n}')).toMatchObject({ problem: { line: 2, column: 8 } });
  });
  it("refuses a key that stands twice, which JSON.parse would drop", () => {
    expect(parseJson('{"a":1,"a":2}')).toMatchObject({ problem: { message: "The key “a” appears twice." } });
  });
  it("refuses what is nested too deeply instead of overflowing", () => {
    expect(parseJson("[".repeat(100_000))).toHaveProperty("problem");
  });
  it("keeps text that is no JSON, and blocks the call", () => {
    const draft = updateAt(object(), [{ key: "a" }], () => draftFromJson('{"b": 1.'));
    expect(toEditableText(childOf(draft, "a"))).toBe('{"b": 1.');
    expect(toJsonText(draft)).toMatchObject({ errors: [{ pointer: "/a" }] });
  });
  it("keeps absent, empty, null and false apart", () => {
    const draft = draftFromJson('{"s":"","n":null,"f":false,"l":[],"o":{}}');
    expect(written(draft)).toBe('{"s":"","n":null,"f":false,"l":[],"o":{}}');
    expect(childOf(draft, "absent")).toBe(ABSENT);
  });
});

describe("drafts", () => {
  it("puts a new key where the schema has it, others last", () => {
    const order = ["a", "b", "c"];
    let draft: Draft = object([["x", number("0")]]);
    for (const key of ["c", "a", "b"]) draft = withField(draft, key, number("1"), order);
    expect(written(draft)).toBe('{"x":0,"a":1,"b":1,"c":1}');
  });
  it("gives back the same object when an absent key is taken away", () => {
    const draft = object([["a", number("1")]]);
    expect(withField(draft, "b", ABSENT)).toBe(draft);
  });
  it("fills the slots before the one that was typed into with nothing, and says so", () => {
    const draft = updateAt(object(), [{ key: "box" }, { key: 1 }], () => number("2"));
    expect(toJsonText(draft)).toMatchObject({ errors: [{ pointer: "/box/0" }] });
  });
});

describe.each(HARD_CASES)("hard schema $name", ({ schema, valid }) => {
  it("becomes a form without a hang, and never throws", () => {
    const started = performance.now();
    const node = normalize(schema);
    expect(nodesOf(node).size).toBeLessThan(NODES_MAX);
    initialDraft(node);
    fillDefaults(node, initialDraft(node));
    expect(performance.now() - started).toBeLessThan(1_000);
  });
  it("gives valid values back untouched, each drawn by its own fields", () => {
    const node = normalize(schema);
    for (const value of valid) {
      const source = JSON.stringify(value);
      const draft = draftFromJson(source);
      expect(written(draft)).toBe(source);
      expect(drawable(node, draft), source).toBe(true);
    }
  });
});

describe("real tools", () => {
  it("become forms, all of them, with a field for each declared argument", () => {
    const asJson: string[] = [];
    for (const { server, name, inputSchema } of REAL_TOOLS) {
      const node = normalize(inputSchema);
      expect(node.kind, `${server}/${name}`).toMatch(/object|union/);
      for (const each of nodesOf(node)) {
        if (each.kind === "never" || each.warnings.length > 0) asJson.push(`${server}/${name}: ${each.warnings.join(" ")}`);
      }
      expect(written(initialDraft(node))).not.toMatch(/^✕/);
    }
    expect(asJson).toEqual([]);
  });
});

describe("hostile schemas", () => {
  it("pollute no prototype", () => {
    const hard = HARD_CASES.find((one) => one.name === "proto-names")!;
    const node = normalize(hard.schema);
    const filled = fillDefaults(node, initialDraft(node));
    expect(written(filled)).toContain('"__proto__":{"polluted":"yes"}');
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
    expect(JSON.parse(written(draftFromJson('{"__proto__":{"a":1}}')))).toHaveProperty(["__proto__"], { a: 1 });
  });
  it("with references in a circle take any value and say so", () => {
    const node = field({ $ref: "#/properties/it" });
    expect(node.kind).toBe("any");
    expect(node.warnings.join()).toMatchInlineSnapshot(`"This reference leads back to itself; any value is taken."`);
  });
  it("with allOf that doubles at every level end soon", () => {
    const $defs: Record<string, unknown> = { d0: { type: "string" } };
    for (let level = 1; level < 40; level += 1) {
      $defs[`d${level}`] = { allOf: [{ $ref: `#/$defs/d${level - 1}` }, { $ref: `#/$defs/d${level - 1}` }] };
    }
    const started = performance.now();
    expect(normalize({ $ref: "#/$defs/d39", $defs }).warnings.join()).toContain("entangled");
    expect(performance.now() - started).toBeLessThan(1_000);
  });
  it.each([null, 5, "x", [], false, { type: 7 }, { properties: [] }, { anyOf: [null, 3] }, { enum: {} }])(
    "of the wrong kind (%j) still give a form",
    (schema) => {
      expect(() => initialDraft(normalize(schema))).not.toThrow();
    },
  );
  it("nested a thousand deep are opened one place at a time", () => {
    let schema: unknown = { type: "string" };
    for (let level = 0; level < 1_000; level += 1) {
      schema = { type: "object", properties: { in: schema }, required: ["in"] };
    }
    expect(written(initialDraft(normalize(schema))).length).toBeLessThan(200);
  });
});

describe("unions", () => {
  const shapes = field({
    oneOf: [
      { type: "object", properties: { kind: { const: "click" }, at: { type: "string" } }, required: ["kind"] },
      { type: "object", properties: { kind: { const: "wait" }, ms: { type: "integer" } }, required: ["kind"] },
      { type: "string" },
    ],
  });
  if (shapes.kind !== "union") throw new Error("a union");

  it("are labelled by what tells the variants apart", () => {
    expect(shapes.variants.map((variant) => variant.label)).toEqual(["kind: click", "kind: wait", "text"]);
  });
  it.each([
    ['{"kind":"click","at":"x"}', 0],
    ['{"kind":"wait"}', 1],
    ['"plain"', 2],
  ])("%s is variant %d, by its structure", (source, index) => {
    expect(variantOf(shapes, draftFromJson(source))).toBe(index);
  });
  it("set the constant of a picked variant and keep what both have", () => {
    expect(written(switched(shapes, draftFromJson('{"kind":"click","at":"x"}'), 1))).toBe('{"kind":"wait"}');
  });
  it("peel off null, however it is said", () => {
    for (const schema of [
      { type: ["string", "null"] },
      { anyOf: [{ type: "string" }, { type: "null" }] },
      { oneOf: [{ const: null }, { type: "string" }] },
      { type: "string", nullable: true },
    ]) {
      expect(field(schema)).toMatchObject({ kind: "string", nullable: true });
    }
  });
  it("of nested unions are one list of variants", () => {
    const node = field({ anyOf: [{ anyOf: [{ type: "string" }, { type: "null" }] }, { type: ["integer", "boolean"] }] });
    expect(node).toMatchObject({ kind: "union", nullable: true });
    expect(node.kind === "union" && node.variants.map((one) => one.node().kind)).toEqual(["string", "number", "boolean"]);
  });
  it("that only name required keys are a hint", () => {
    const node = normalize({
      type: "object",
      properties: { a: { type: "string" }, b: { type: "string" } },
      anyOf: [{ required: ["a"] }, { required: ["b"] }],
    });
    expect(node).toMatchObject({ kind: "object", constraints: ["one of: a · b"] });
  });
});

describe("formats", () => {
  it("of numbers in a programming language are not shown", () => {
    for (const format of ["uint", "uint8", "int32", "int64", "float", "double"]) {
      expect(field({ type: "integer", format, minimum: 0 }).constraints).toEqual(["at least 0"]);
    }
    expect(field({ type: "string", format: "date" }).constraints).toEqual(["date"]);
  });
});

describe("values to begin with", () => {
  it("hold the defaults of required fields and constants, and no optional field", () => {
    const node = normalize({
      type: "object",
      properties: {
        opt: { type: "string", default: "no" },
        req: { type: "integer", default: 0 },
        fixed: { const: "v1" },
        inner: { type: "object", properties: { deep: { default: false, type: "boolean" } }, required: ["deep"] },
        bare: { type: "string" },
      },
      required: ["req", "fixed", "inner", "bare"],
    });
    expect(written(initialDraft(node))).toBe('{"req":0,"fixed":"v1","inner":{"deep":false}}');
  });
  it("with defaults filled change nothing that is there, and leave out what does not fit", () => {
    const hard = HARD_CASES.find((one) => one.name === "defaults")!;
    const filled = fillDefaults(normalize(hard.schema), draftFromJson('{"z":5,"other":1}'));
    expect(JSON.parse(written(filled))).toEqual({
      s: "", z: 5, f: false, n: { deep: "v-deep" }, l: ["v-d1", "v-d2"], other: 1,
    });
  });
  it("do not follow a required recursion", () => {
    const hard = HARD_CASES.find((one) => one.name === "recursive-required")!;
    expect(written(initialDraft(normalize(hard.schema)))).toBe("{}");
  });
});

describe("numbers of a schema", () => {
  it("are exact where JSON.parse would round them", () => {
    const schema = readSchema(
      '{"type":"object","properties":{"id":{"type":"integer","default":9007199254740993,"maximum":9223372036854775807},' +
        '"one":{"enum":[9007199254740993,9007199254740992,1e2]},"__proto__":{"type":"string"}},"required":["id"]}',
    );
    const node = normalize(schema);
    expect(written(initialDraft(node))).toBe('{"id":9007199254740993}');
    expect(node.kind === "object" && node.order).toEqual(["id", "one", "__proto__"]);
    const [id, one] = node.kind === "object" ? node.fields.map((each) => each.node()) : [];
    expect(id?.constraints).toEqual(["maximum 9223372036854775807"]);
    expect(one?.kind === "choice" && one.options.map((option) => option.label)).toEqual([
      "9007199254740993",
      "9007199254740992",
      "100",
    ]);
  });
});

describe("fit", () => {
  it("is null where a control would misreport the value", () => {
    expect(drawable(field({ type: "string" }), text("a\rb"))).toBe(false);
    expect(drawable(field({ type: "integer" }), text("1"))).toBe(false);
    expect(fit(field({ enum: [1, 2] }), number("1.0"))).not.toBeNull();
    expect(drawable(field({ enum: [1, 2] }), number("3"))).toBe(false);
    expect(drawable(field({ type: "string" }), draftOf(null))).toBe(false);
  });
});
