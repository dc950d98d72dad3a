import { afterEach, describe, expect, it, vi } from "vitest";

async function inLanguage(tag: string) {
  document.documentElement.lang = tag;
  vi.resetModules();
  return await import("./chosen");
}

afterEach(() => {
  document.documentElement.lang = "";
  vi.resetModules();
});

const tools = { one: "tool", other: "tools" };
const each = { en: { hello: "Hello", to: (name: string) => `to ${name}` }, de: { hello: "Hallo", to: (name: string) => `an ${name}` } };

describe("the language of the page", () => {
  it("is English where nothing else is said, and German in all its countries", async () => {
    expect((await inLanguage("")).chosen(each).hello).toBe("Hello");
    expect((await inLanguage("fr")).chosen(each).hello).toBe("Hello");
    expect((await inLanguage("de-AT")).chosen(each).to("forge")).toBe("an forge");
  });

  it("writes numbers, counts and lists as its speakers do", async () => {
    const en = await inLanguage("en");
    expect([en.counted(1, tools), en.counted(2_000, tools), en.counted(0, tools)]).toEqual(["1 tool", "2,000 tools", "0 tools"]);
    expect(en.listed(["a", "b", "c"])).toBe("a, b and c");
    expect(en.decimal(3.24, 1)).toBe("3.2");
    const de = await inLanguage("de");
    expect(de.decimal(3.24, 1)).toBe("3,2");
    expect(de.number(1_234_567.5)).toBe("1.234.567,5");
    expect(de.listed(["a", "b", "c"])).toBe("a, b und c");
  });

  it("marks every text of the words where the layout is tried, also what a function gives", async () => {
    const long = (await inLanguage("en-XA")).chosen(each);
    expect([long.hello, long.to("forge")]).toEqual(["⟦Hello⟧", "⟦to forge⟧"]);
    // A sign that is not seen makes it be read from the right.
    const mirrored = (await inLanguage("ar-XB")).chosen(each);
    expect([mirrored.hello, mirrored.to("forge")]).toEqual(["\u200f⟦Hello⟧", "\u200f⟦to forge⟧"]);
  });
});
