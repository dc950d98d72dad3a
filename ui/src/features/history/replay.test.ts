import { describe, expect, it } from "vitest";

import { toJsonText } from "../form/model/json";
import { maskedWords, replayOf } from "./replay";

const text = (args: string, masked: readonly string[] = []) => toJsonText(replayOf(args, masked, "same").draft);

describe("a replay", () => {
  it("is the same text in meaning, digit for digit and key for key", () => {
    expect(text('{"n":9007199254740993,"z":1.0,"a":{"__proto__":[null]}}')).toEqual({
      ok: '{"n":9007199254740993,"z":1.0,"a":{"__proto__":[null]}}',
    });
  });

  it("can't be sent while a masked place is empty, wherever it is", () => {
    const args = '{"token":"•••","list":["•••","plain"],"a/b":{"c~d":"•••"}}';
    const written = text(args, ["/token", "/list/0", "/a~1b/c~0d"]);
    expect(written).toEqual({
      errors: ["/token", "/list/0", "/a~1b/c~0d"].map((pointer) => ({ pointer, message: expect.stringMatching(/no value yet/) as string })),
      rest: '{"token":null,"list":[null,"plain"],"a/b":{"c~d":null}}',
    });
    expect(JSON.stringify([...replayEntries(args)])).not.toContain("•");
  });

  it("leaves alone a masked place that is not there", () => {
    expect(text('{"a":1}', ["/b/c"])).toEqual({ ok: '{"a":1}' });
  });

  it("invalid JSON stays unchanged with a note", () => {
    const { draft, notes } = replayOf("{broken", [], "same");
    expect(draft).toMatchObject({ kind: "raw", text: "{broken" });
    expect(notes.join()).toMatch(/aren't valid JSON/);
  });

  it("names a few masked places and counts the rest", () => {
    expect(maskedWords([])).toBeNull();
    expect(maskedWords(["/auth/token"])).toMatchInlineSnapshot(`"Enter the value of auth.token. It is a secret, and the history doesn't keep secrets."`);
    expect(maskedWords(["/a", "/b", "/c", "/d", "/e", "/f", "/g"])).toMatchInlineSnapshot(`"Enter the values of a, b, c, d, e and 2 more. They are secrets, and the history doesn't keep secrets."`);
  });
});

function replayEntries(args: string) {
  const { draft } = replayOf(args, ["/token", "/list/0", "/a~1b/c~0d"], "same");
  return draft.kind === "object" ? [...draft.entries].map(([key, value]) => [key, value.kind === "object" ? [...value.entries] : value]) : [];
}
