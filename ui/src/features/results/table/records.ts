/** Reads a list of records from JSON: its rows, its columns, and their sort order. */

import type { Steps } from "../json/steps";
import { childrenOf, countOf, isContainer, keyAt, kindOf, lengthOf, sourceOf, stringAt, type Tape } from "../json/tape";

/** The maximum number of columns. The tree view shows the others. */
const COLUMNS_MAX = 100;
const YIELD_EVERY = 4_096;
/** The maximum length of a cell's text, in characters. */
const CELL = 200;
const SAMPLED = 200;

export interface Records {
  readonly tape: Tape;
  /** The key of the list in the root object; `null` if the root is the list. */
  readonly under: string | null;
  readonly rows: Int32Array;
  readonly columns: readonly string[];
  /** The width of each column, in characters. */
  readonly widths: readonly number[];
  /** The number of columns that exceed `COLUMNS_MAX`. */
  readonly moreColumns: number;
}

export interface Order {
  readonly column: string;
  readonly down: boolean;
}

function isRows(tape: Tape, node: number): boolean {
  if (kindOf(tape, node) !== "array" || countOf(tape, node) === 0) return false;
  for (const child of childrenOf(tape, node)) if (kindOf(tape, child) !== "object") return false;
  return true;
}

/**
 * The list of rows: a list of objects that is the root, or the only list of objects among the values of a root object;
 * -1 if there is none.
 */
function rowsIn(tape: Tape, root: number): number {
  if (isRows(tape, root)) return root;
  if (kindOf(tape, root) !== "object") return -1;
  let found = -1;
  for (const child of childrenOf(tape, root)) {
    if (!isRows(tape, child)) continue;
    if (found >= 0) return -1;
    found = child;
  }
  return found;
}

/** Reads a value as a list of records; `null` if the value is not a list of records. */
export function* recordSteps(tape: Tape, root: number): Steps<Records | null> {
  const node = rowsIn(tape, root);
  if (node < 0) return null;
  const widths = new Map<string, number>();
  let seen = 0;
  let untilYield = YIELD_EVERY;
  const rows = Int32Array.from(childrenOf(tape, node));
  for (const row of rows) {
    for (const cell of childrenOf(tape, row)) {
      const key = String(keyAt(tape, cell));
      const width = widths.get(key);
      if (width === undefined) widths.set(key, Math.max(key.length + 2, lengthOf(tape, cell)));
      else if (seen < SAMPLED) widths.set(key, Math.max(width, lengthOf(tape, cell)));
      untilYield -= 1;
    }
    seen += 1;
    untilYield -= 1;
    if (untilYield <= 0) {
      untilYield = YIELD_EVERY;
      yield;
    }
  }
  const all = [...widths];
  const shown = all.slice(0, COLUMNS_MAX);
  return {
    tape,
    under: node === root ? null : String(keyAt(tape, node)),
    rows,
    columns: shown.map(([key]) => key),
    widths: shown.map(([, width]) => Math.min(44, Math.max(6, width + 2))),
    moreColumns: all.length - shown.length,
  };
}

/** The cells of a row, by column. */
export function cellsOf(tape: Tape, row: number): ReadonlyMap<string, number> {
  const cells = new Map<string, number>();
  for (const cell of childrenOf(tape, row)) cells.set(String(keyAt(tape, cell)), cell);
  return cells;
}

/** The shortened text of a cell. Strings are shown without quotes. */
export function cellWords(tape: Tape, node: number): string {
  const start = tape.starts[node] ?? 0;
  if (kindOf(tape, node) === "string") {
    if (lengthOf(tape, node) <= CELL * 2) return stringAt(tape, node).slice(0, CELL);
    return `${tape.source.slice(start + 1, start + CELL)}…`;
  }
  if (!isContainer(tape, node)) return sourceOf(tape, node).slice(0, CELL);
  const text = tape.source.slice(start, Math.min(start + CELL, tape.ends[node] ?? start)).replace(/\s+/g, " ");
  return lengthOf(tape, node) > CELL ? `${text}…` : text;
}

/**
 * The sort key of a cell. Numbers are sorted before strings, then follow booleans, lists and objects. Missing cells and
 * `null` are last.
 */
function rank(tape: Tape, node: number | undefined): readonly [number, number | string] {
  if (node === undefined) return [4, 0];
  switch (kindOf(tape, node)) {
    case "number":
      return [0, Number(sourceOf(tape, node))];
    case "string":
      return [1, stringAt(tape, node).slice(0, CELL).toLowerCase()];
    case "boolean":
      return [2, sourceOf(tape, node)];
    case "null":
      return [4, 0];
    default:
      return [3, countOf(tape, node)];
  }
}

/** The sorted rows. Rows without a value come last in both directions. */
export function* orderSteps({ tape, rows }: Records, order: Order | null): Steps<Int32Array> {
  if (order === null) return rows;
  const ranked: { row: number; kind: number; value: number | string }[] = [];
  for (const row of rows) {
    let cell: number | undefined;
    for (const child of childrenOf(tape, row)) if (keyAt(tape, child) === order.column) cell = child;
    const [kind, value] = rank(tape, cell);
    ranked.push({ row, kind, value });
    if (ranked.length % YIELD_EVERY === 0) yield;
  }
  const turn = order.down ? -1 : 1;
  ranked.sort((a, b) => {
    if (a.kind !== b.kind) return a.kind === 4 || b.kind === 4 ? a.kind - b.kind : turn * (a.kind - b.kind);
    return a.value < b.value ? -turn : a.value > b.value ? turn : a.row - b.row;
  });
  return Int32Array.from(ranked, ({ row }) => row);
}

/** Quotes a field of a CSV or TSV file if necessary. */
function field(text: string, comma: string): string {
  return text.includes(comma) || /["\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** The rows as CSV (RFC 4180), or as TSV for a spreadsheet. Contains all columns and untruncated values. */
export function* delimitedSteps({ tape, rows }: Pick<Records, "tape" | "rows">, comma: "," | "\t"): Steps<string> {
  const columns = new Set<string>();
  for (const row of rows) for (const cell of childrenOf(tape, row)) columns.add(String(keyAt(tape, cell)));
  const lines = [[...columns].map((column) => field(column, comma)).join(comma)];
  for (const row of rows) {
    const cells = cellsOf(tape, row);
    const fields = [...columns].map((column) => {
      const node = cells.get(column);
      if (node === undefined) return "";
      return field(kindOf(tape, node) === "string" ? stringAt(tape, node) : sourceOf(tape, node), comma);
    });
    lines.push(fields.join(comma));
    if (lines.length % 512 === 0) yield;
  }
  return lines.join("\r\n");
}
