/** Where two texts differ, line by line. */

import type { Steps } from "../json/steps";
import { matchSteps } from "./matching";

interface DiffLine {
  readonly kind: "same" | "removed" | "added";
  /** The line's number in the left and the right text, from 1; 0 where it is not there. */
  readonly left: number;
  readonly right: number;
  readonly text: string;
}

export interface LineDifference {
  readonly lines: readonly DiffLine[];
  readonly added: number;
  readonly removed: number;
  /** Whether the texts differ so much that their middle stands as one block removed and one added. */
  readonly blunt: boolean;
}

/** More lines than these are not compared. */
export const LINES_MAX = 400_000;
const DIFFERENCES_MAX = 2_000;
/** Lines times differences, which is what the work grows with. */
const WORK_MAX = 300_000_000;

/** Compares two texts; `null` where they have too many lines. */
export function* lineSteps(left: string, right: string): Steps<LineDifference | null> {
  const a = left.split("\n");
  const b = right.split("\n");
  if (a.length > LINES_MAX || b.length > LINES_MAX) return null;
  yield;
  const names = new Map<string, number>();
  const named = (lines: readonly string[]) =>
    Int32Array.from(lines, (line) => {
      const name = names.get(line) ?? names.size;
      names.set(line, name);
      return name;
    });
  const [leftNames, rightNames] = [named(a), named(b)];
  yield;
  const most = Math.min(DIFFERENCES_MAX, Math.floor(WORK_MAX / (a.length + b.length)));
  const found = yield* matchSteps(leftNames, rightNames, most);
  const matches = found ?? edges(leftNames, rightNames);
  const lines: DiffLine[] = [];
  let [x, y, added, removed] = [0, 0, 0, 0];
  for (const [toX, toY] of [...matches, [a.length, b.length] as const]) {
    for (; x < toX; x += 1, removed += 1) lines.push({ kind: "removed", left: x + 1, right: 0, text: a[x] ?? "" });
    for (; y < toY; y += 1, added += 1) lines.push({ kind: "added", left: 0, right: y + 1, text: b[y] ?? "" });
    if (x === a.length) break;
    lines.push({ kind: "same", left: x + 1, right: y + 1, text: a[x] ?? "" });
    x += 1;
    y += 1;
  }
  return { lines, added, removed, blunt: found === null };
}

/** Only what both texts begin and end with. */
function edges(left: Int32Array, right: Int32Array): (readonly [number, number])[] {
  const matches: (readonly [number, number])[] = [];
  let head = 0;
  for (; head < left.length && head < right.length && left[head] === right[head]; head += 1) matches.push([head, head]);
  let tail = 0;
  while (tail < left.length - head && tail < right.length - head && left[left.length - 1 - tail] === right[right.length - 1 - tail]) tail += 1;
  for (; tail > 0; tail -= 1) matches.push([left.length - tail, right.length - tail]);
  return matches;
}

/** A row of the view: a line, or how many equal ones are folded. */
type DiffRow = DiffLine | { readonly kind: "folded"; readonly count: number; readonly from: number };

/** The lines with long equal stretches folded but for a few lines around each difference. */
export function foldedRows(lines: readonly DiffLine[], opened: ReadonlySet<number>, context = 3): DiffRow[] {
  const rows: DiffRow[] = [];
  const take = (from: number, to: number) => {
    for (let at = from; at < to; at += 1) {
      const line = lines[at];
      if (line) rows.push(line);
    }
  };
  let at = 0;
  while (at < lines.length) {
    let end = at;
    while (lines[end]?.kind === "same") end += 1;
    if (end === at) {
      take(at, at + 1);
      at += 1;
      continue;
    }
    const from = at === 0 ? 0 : at + context;
    const to = end === lines.length ? end : end - context;
    if (to - from < 3 || opened.has(from)) take(at, end);
    else {
      take(at, from);
      rows.push({ kind: "folded", count: to - from, from });
      take(to, end);
    }
    at = end;
  }
  return rows;
}
