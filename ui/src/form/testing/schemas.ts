/** The schemas that the form is tested with: hard ones made for it, and those of real servers. */

import { readFileSync } from "node:fs";
import { join } from "node:path";

export interface HardCase {
  readonly name: string;
  readonly why: string;
  readonly schema: unknown;
  readonly valid: readonly unknown[];
  readonly invalid: readonly unknown[];
}

export interface RealTool {
  readonly server: string;
  readonly name: string;
  readonly inputSchema: unknown;
}

function read(name: string): unknown {
  // JSON.parse, not an import: a `__proto__` key has to stay a key.
  return JSON.parse(readFileSync(join(process.cwd(), "testdata", name), "utf8"));
}

export const HARD_CASES = read("torture-schemas.json") as readonly HardCase[];

export const REAL_TOOLS: readonly RealTool[] = Object.entries(
  read("real-schemas.json") as Record<string, { tools: { name: string; inputSchema: unknown }[] }>,
).flatMap(([server, { tools }]) => tools.map((tool) => ({ server, ...tool })));
