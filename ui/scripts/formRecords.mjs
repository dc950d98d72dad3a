/**
 * Writes the results of the form tests to JSON Lines files. The engine's tests send the same arguments to a
 * member. At the end of a run, this module prints a table of counts.
 */
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The variable with the folder for the records. If it is not set, the records are deleted after the run. */
const KEPT = "GUILD_FORM_RECORDS";

/** Appends entries to the file of one group of tests. */
export function record(folder, part, entries) {
  appendFileSync(join(folder, `${part}.jsonl`), entries.map((entry) => `${JSON.stringify(entry)}\n`).join(""));
}

function recordsIn(folder) {
  return readdirSync(folder)
    .filter((name) => name.endsWith(".jsonl"))
    .sort()
    .flatMap((name) => readFileSync(join(folder, name), "utf8").trimEnd().split("\n"))
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}

/** The lines of the table; empty if the form tests did not run. */
export function table(records) {
  const rows = [];
  for (const set of ["real", "hard"]) {
    const mine = records.filter((one) => one.set === set);
    const drawn = mine.filter((one) => one.kind === "drawn");
    if (drawn.length === 0) continue;
    const filled = mine.filter((one) => one.kind === "valid");
    const places = mine.filter((one) => one.kind === "places");
    const count = (of, is) => of.filter(is).length;
    const add = (what, number, of) => rows.push([set, what, String(number), of === undefined ? "" : `of ${of}`]);
    add("tools drawn without an error", count(drawn, (one) => one.ok), drawn.length);
    add("  elements of the largest form", Math.max(...drawn.map((one) => one.elements)));
    add("values filled by widgets, sent as meant", count(filled, (one) => one.equal), filled.length);
    add("  of them by fields alone, no JSON typed", count(filled, (one) => one.jsonTyped === 0));
    add("  valid by the second validator", count(filled, (one) => one.second === true));
    add("tools without a value that could be made", count(mine, (one) => one.kind === "unmade"));
    add("schemas the second validator can't compile", count(mine, (one) => one.kind === "uncompiled"));
    const broken = mine.filter((one) => one.kind === "invalid");
    add("invalid values refused at their field", count(broken, (one) => one.told), broken.length);
    for (const way of [...new Set(broken.map((one) => one.way))].sort()) {
      add(`  ${way}`, count(broken, (one) => one.way === way && one.told));
    }
    const typed = mine.filter((one) => one.kind === "mistyped");
    add("numbers mistyped, refused before the check", count(typed, (one) => one.told), typed.length);
    const falling = places.filter((one) => one.fallbacks.length > 0);
    const part = ((100 * falling.length) / Math.max(1, places.length)).toFixed(2);
    add(`tools with a place that falls back to JSON (${part} %)`, falling.length, places.length);
    for (const cause of [...new Set(falling.flatMap((one) => one.fallbacks))].sort()) {
      add(`  ${cause}`, count(falling, (one) => one.fallbacks.includes(cause)));
    }
    add("tools with a place that has no shape", count(places, (one) => one.shapeless > 0));
  }
  for (const { rows: shown, median } of records.filter((one) => one.kind === "speed")) {
    rows.push(["real", `a key press in the largest form (${shown} rows), ms at the median here`, median.toFixed(1), ""]);
  }
  if (rows.length === 0) return [];
  const wide = (column) => Math.max(...rows.map((row) => row[column].length));
  return rows.map(
    ([set, what, number, of]) => `${set.padEnd(5)} ${what.padEnd(wide(1))} ${number.padStart(6)} ${of}`.trimEnd(),
  );
}

/** Vitest's global setup: creates the folder for the records. The returned teardown prints the table. */
export default function setup({ provide }) {
  const kept = process.env[KEPT];
  const folder = kept ?? mkdtempSync(join(tmpdir(), "guild-form-records-"));
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(folder)) if (name.endsWith(".jsonl")) rmSync(join(folder, name));
  provide("records", folder);
  return () => {
    const lines = existsSync(folder) ? table(recordsIn(folder)) : [];
    if (lines.length > 0) console.log(["", "Forms", ...lines, ""].join("\n"));
    if (kept === undefined) rmSync(folder, { recursive: true, force: true });
  };
}
