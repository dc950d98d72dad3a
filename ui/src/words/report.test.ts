import { afterEach, describe, expect, it, vi } from "vitest";

import type { Report } from "../bridge/bindings";

async function inLanguage(tag: string) {
  document.documentElement.lang = tag;
  vi.resetModules();
  return await import("./report");
}

afterEach(() => {
  document.documentElement.lang = "";
  vi.resetModules();
});

const report: Pick<Report, "code" | "message" | "hint"> = { code: "tool-unknown", message: "No `het`.", hint: "Did you mean `heat`?" };

describe("a report", () => {
  it("says in English what the engine says", async () => {
    const { reportWords, reportLine } = await inLanguage("en");
    expect(reportWords(report)).toEqual({ what: "No `het`.", hint: "Did you mean `heat`?", detail: null });
    expect(reportLine(report)).toBe("No `het`.");
  });

  it("keeps in another language what the engine says and advises, below what its code means", async () => {
    const { reportWords, reportLine } = await inLanguage("de");
    const { de } = await import("./de/errors");
    expect(reportWords(report)).toEqual({ ...de["tool-unknown"], detail: "No `het`.\nDid you mean `heat`?" });
    expect(reportWords({ ...report, hint: "" }).detail).toBe("No `het`.");
    expect(reportLine(report)).toBe(`${de["tool-unknown"].what} (No \`het\`.)`);
  });

  it("says in German what it brings in German, and nothing in English", async () => {
    const both = { ...report, german: { message: "Kein `het`.", hint: "War `heat` gemeint?" } };
    const german = await inLanguage("de");
    expect(german.reportWords(both)).toEqual({ what: "Kein `het`.", hint: "War `heat` gemeint?", detail: null });
    expect(german.reportLine(both)).toBe("Kein `het`.");
    const english = await inLanguage("en");
    expect(english.reportLine(both)).toBe("No `het`.");
  });
});

describe("what is wrong with an entry of a list", () => {
  it("is said in the window's language, and in English where nothing else was kept", async () => {
    const both = { reason: "it has no name", german: "der Name fehlt" };
    const { problemWords } = await inLanguage("de");
    expect(problemWords(both)).toBe("der Name fehlt");
    expect(problemWords({ reason: "it has no name" })).toBe("it has no name");
    const english = await inLanguage("en");
    expect(english.problemWords(both)).toBe("it has no name");
  });
});
