/** Finds exports that no other file imports. */
import { expect, it } from "vitest";

const FILES: Readonly<Record<string, string>> = import.meta.glob("/src/**/*.{ts,tsx}", { eager: true, query: "?raw", import: "default" });

/** The generated bindings, which contain all types of the engine, including unused ones. */
const GENERATED = "/src/ipc/bindings";

const EXPORTED = /^export (?:async )?(?:const|function|class|interface|type) (\w+)/gm;
const TAKEN = /(?:import|export)\s+(?:type\s+)?([^;"]*?)\s*from\s*"(\.[^"?]*)"/g;
/** Matches dynamic imports. All exports of a dynamically imported file count as used. */
const FETCHED = /import\("(\.[^"]*)"\)/g;

/** Resolves a relative import path. The result has no file extension. */
const led = (from: string, to: string): string => new URL(to, `file://${from}`).pathname;

function unused(files: Readonly<Record<string, string>>): readonly string[] {
  const taken = new Set<string>();
  const whole = new Set<string>([GENERATED]);
  for (const [path, text] of Object.entries(files)) {
    for (const [, names = "", to = ""] of text.matchAll(TAKEN)) {
      if (names.includes("*")) whole.add(led(path, to));
      for (const name of names.split(/[{},]/)) taken.add(`${led(path, to)}#${name.trim().replace(/^type /, "").replace(/ as .*$/, "")}`);
    }
    for (const [, to = ""] of text.matchAll(FETCHED)) whole.add(led(path, to));
  }
  return Object.entries(files).flatMap(([path, text]) => {
    const file = path.replace(/(\/index)?\.tsx?$/, "");
    if (whole.has(file)) return [];
    return [...text.matchAll(EXPORTED)].map(([, name = ""]) => `${file}#${name}`).filter((name) => !taken.has(name));
  });
}

it("finds what no other file takes, and nothing else", () => {
  const files = {
    "/src/a.ts": 'export const used = 1;\nexport const idle = 2;\nexport type Kind = "x";\nexport interface Held {}',
    "/src/b/c.tsx": 'import { type Kind, used as other } from "../a";\nconst late = () => import("./late");',
    "/src/b/late.ts": "export function fetched() {}",
    "/src/d.ts": 'export * from "./e";',
    "/src/e.ts": "export const all = 3;",
  };
  expect(unused(files)).toEqual(["/src/a#idle", "/src/a#Held"]);
});

it("is nothing of the window", () => {
  expect(Object.keys(FILES).length).toBeGreaterThan(300);
  expect(unused(FILES)).toEqual([]);
});
