import { describe, expect, it } from "vitest";

import { Random } from "../testing/random";
import { ABSENT, ADDED, type Draft, flag, list, NULL, number, object, picked, text } from "./draft";
import { DRAFT_BYTES_MAX, draftFromText, draftToText } from "./draftText";
import { draftFromJson, toEditableText } from "./json";
import { normalize } from "./normalize";
import { masked, withoutSecrets } from "./secrets";

const WORDS = ["", "a", "__proto__", "größe 🦊", "line\nline", '"quoted"', "\u2028", "\ud800"];

/** A random draft, with unfinished text, picked variants, keys without values, and invalid numbers. */
function anyDraft(random: Random, depth = 0): Draft {
  const inner = () => anyDraft(random, depth + 1);
  const many = depth > 4 ? 0 : random.between(0, 4);
  const made = random.one<() => Draft>([
    () => NULL,
    () => ADDED,
    () => flag(random.chance(0.5)),
    () => text(random.one(WORDS)),
    () => number(random.one(["1", "1.", "-", "9007199254740993", "1e", "1,5", "-0"])),
    () => ({ kind: "raw", text: random.one(["[1", "oops", "{", "a b"]), problem: "Line 1" }),
    () => list(Array.from({ length: many }, inner)),
    () => object(Array.from({ length: many }, () => [random.one(WORDS), inner()] as const)),
  ])();
  return random.chance(0.2) ? picked(made, random.between(0, 70)) : made;
}

describe("a draft as text", () => {
  it("has a gap where a secret was masked when it was kept", () => {
    const kept = draftToText(object([["url", text("http://x/?k=•••")], ["list", list([text("•••"), text("a")])]]));
    expect(draftFromText(kept ?? "")).toEqual(object([["url", ADDED], ["list", list([ADDED, text("a")])]]));
  });

  it("is read again as the very same, whatever it is", () => {
    const random = new Random("drafts");
    for (let turn = 0; turn < 2_000; turn += 1) {
      const draft = anyDraft(random);
      const written = draftToText(draft);
      expect(written).not.toBeNull();
      expect(draftFromText(written ?? "")).toEqual(draft);
    }
    expect(draftFromText(draftToText(ABSENT) ?? "")).toEqual(ABSENT);
  });

  it("is bounded in size and depth", () => {
    expect(draftToText(text("x".repeat(DRAFT_BYTES_MAX)))).toBeNull();
    expect(draftToText(text("ü".repeat(DRAFT_BYTES_MAX / 2)))).toBeNull();
    let deep: Draft = NULL;
    for (let level = 0; level < 5_000; level += 1) deep = list([deep]);
    expect(draftToText(deep)).toBeNull();
    expect(draftFromText(`{"v":1,"draft":${'["l",['.repeat(5_000)}${"]]".repeat(5_000)}}`)).toBeNull();
  });

  it.each([
    "",
    "null",
    "[]",
    "{}",
    '{"v":2,"draft":["n",0]}',
    '{"v":1}',
    '{"v":1,"draft":["x",0]}',
    '{"v":1,"draft":["s",1]}',
    '{"v":1,"draft":["s","a",-1]}',
    '{"v":1,"draft":["s","a",1.5]}',
    '{"v":1,"draft":["b",true]}',
    '{"v":1,"draft":["l",{}]}',
    '{"v":1,"draft":["o",[["a",["n",0]],["a",["n",0]]]]}',
    '{"v":1,"draft":["o",[["a"]]]}',
    '{"v":1,"draft":["r",["a"]]}',
    '{"v":1,"draft":["n",0,1,2]}',
  ])("is nothing when the text is %s", (garbage) => {
    expect(draftFromText(garbage)).toBeNull();
  });

  it("is nothing when any part of it was damaged into something else", () => {
    const random = new Random("damage");
    const whole = draftToText(draftFromJson('{"a":[1,"x",{"b":null}],"c":true}')) ?? "";
    for (let turn = 0; turn < 500; turn += 1) {
      const at = random.between(0, whole.length - 1);
      const damaged = whole.slice(0, at) + random.one(["", "{", "9", '"', "]", "é"]) + whole.slice(at + random.between(0, 2));
      const found = draftFromText(damaged);
      if (found !== null) expect(draftFromText(draftToText(found) ?? "")).toEqual(found);
    }
  });
});

describe("secrets of a draft", () => {
  const node = normalize({
    type: "object",
    properties: {
      key: { type: "string", writeOnly: true },
      name: { type: "string" },
      nested: { type: "object", properties: { pass: { type: "string", format: "password" } } },
      keys: { type: "array", items: { type: "string", format: "password" } },
      both: { anyOf: [{ type: "string", format: "password" }, { type: "integer" }] },
    },
  });
  const source = '{"key":"s1","name":"n","nested":{"pass":"s2"},"keys":["s3"],"both":"s4"}';

  it("are left out of what is kept, and nothing else is", () => {
    const kept = withoutSecrets(node, draftFromJson(source));
    expect(toEditableText(kept, 0)).toBe('{"name":"n","nested":{},"keys":[…]}');
  });
  it("are left out also where a value does not fit, or is no JSON yet", () => {
    for (const unfinished of ['{"key":["s1"]}', '{"key":"s1', '{"nested":["s2"]}', '["s1"]']) {
      expect(draftToText(withoutSecrets(node, draftFromJson(unfinished)))).not.toMatch(/s[0-9]/);
    }
  });
  it("are masked in what is shown", () => {
    expect(toEditableText(masked(node, draftFromJson(source)), 0)).toBe(
      '{"key":"•••","name":"n","nested":{"pass":"•••"},"keys":["•••"],"both":"•••"}',
    );
  });
});

describe("a draft as JSON to edit", () => {
  it("comes back with all that is unfinished at its place", () => {
    const random = new Random("unfinished");
    const tokens = ["1.", "-", "1e", "007", "oops", "…"];
    for (let turn = 0; turn < 1_000; turn += 1) {
      const draft = draftFromJson(`{"a":[${random.one(tokens)},"x"],"b":{"c":${random.one(tokens)}},"d":${random.one(["1", "null", '""'])}}`);
      expect(draft.kind).toBe("object");
      expect(draftFromJson(toEditableText(draft, random.between(0, 4)))).toEqual(draft);
    }
  });
  it("keeps the text of any draft, whatever is wrong with it", () => {
    const random = new Random("text");
    for (let turn = 0; turn < 2_000; turn += 1) {
      const written = toEditableText(object([["it", anyDraft(random)]]), 0);
      expect(toEditableText(draftFromJson(written), 0)).toBe(written);
    }
  });
});
