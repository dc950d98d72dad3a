/** The schemas for tests of the form: difficult ones written for these tests, and those of real servers. */

// Imported as text and parsed with `JSON.parse`, because Vite turns a JSON import into an object literal, in which
// the key `__proto__` would set the prototype.
import hard from "../../../../../tests/data/torture-schemas.json?raw";
import words from "../../../../../tests/data/real-words.json?raw";
import paths from "../../../../testdata/path-fields.json?raw";
import real from "../../../../testdata/real-schemas.json?raw";

interface HardCase {
  readonly name: string;
  readonly why: string;
  readonly schema: unknown;
  readonly valid: readonly unknown[];
  readonly invalid: readonly unknown[];
}

interface RealTool {
  readonly server: string;
  readonly name: string;
  readonly inputSchema: unknown;
}

export const HARD_CASES = JSON.parse(hard) as readonly HardCase[];

export const REAL_TOOLS: readonly RealTool[] = Object.entries(
  JSON.parse(real) as Record<string, { tools: { name: string; inputSchema: unknown }[] }>,
).flatMap(([server, { tools }]) => tools.map((tool) => ({ server, ...tool })));

/** The descriptions of the real tools, by server name and tool name. */
export const REAL_WORDS = JSON.parse(words) as Readonly<Record<string, Readonly<Record<string, { readonly description?: string }>>>>;

/** The fields of the real tools that have a path dialog, as `server/tool/field: kind`. */
export const PATH_FIELDS = JSON.parse(paths) as readonly string[];
