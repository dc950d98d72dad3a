/** Keys for rows that have no name of their own, so that what a row remembers goes where the row goes. */

import { useState } from "react";

interface Rows {
  readonly parts: readonly unknown[];
  readonly keys: readonly number[];
  /** The key that no row has had yet. */
  readonly next: number;
}

/** The number of parts that are the same in both, from one end. */
function sameRun(a: readonly unknown[], b: readonly unknown[], max: number, from: "start" | "end"): number {
  let count = 0;
  while (count < max && (from === "start" ? a[count] === b[count] : a.at(-1 - count) === b.at(-1 - count))) count += 1;
  return count;
}

/** The current keys of the parts: a part keeps its key when it moves, and when it is the only one changed. */
function keyed(rows: Rows, parts: readonly unknown[]): Rows {
  const { parts: old, keys } = rows;
  const most = Math.min(old.length, parts.length);
  const start = sameRun(old, parts, most, "start");
  const end = sameRun(old, parts, most - start, "end");
  if (old.length === parts.length && start + end >= parts.length - 1) return { ...rows, parts };
  const free = new Map<unknown, number[]>();
  // The last first, since they are taken from the end.
  for (let index = old.length - end - 1; index >= start; index -= 1) {
    const [part, key] = [old[index], keys[index] ?? -1];
    const others = free.get(part);
    if (others) others.push(key);
    else free.set(part, [key]);
  }
  let { next } = rows;
  const middle = parts.slice(start, parts.length - end).map((part) => free.get(part)?.pop() ?? next++);
  return { parts, keys: [...keys.slice(0, start), ...middle, ...keys.slice(old.length - end)], next };
}

/** A key for each part; parts are compared by identity. */
export function useRowKeys(parts: readonly unknown[]): readonly number[] {
  const [rows, setRows] = useState<Rows>(() => ({ parts, keys: parts.map((_, index) => index), next: parts.length }));
  const same = rows.parts === parts || (rows.parts.length === parts.length && sameRun(rows.parts, parts, parts.length, "start") === parts.length);
  if (same) return rows.keys;
  const now = keyed(rows, parts);
  setRows(now);
  return now.keys;
}
