/** React keys for list items and other rows without a stable name, so that row state follows moved rows. */

import { useState } from "react";

interface Rows {
  readonly parts: readonly unknown[];
  readonly keys: readonly number[];
  /** The next unused key. */
  readonly next: number;
}

/** The number of equal elements at the start or the end of both arrays, at most `max`. */
function sameRun(a: readonly unknown[], b: readonly unknown[], max: number, from: "start" | "end"): number {
  let count = 0;
  while (count < max && (from === "start" ? a[count] === b[count] : a.at(-1 - count) === b.at(-1 - count))) count += 1;
  return count;
}

/** Assigns keys to changed rows. A row keeps its key if it moved, or if it is the only row that changed. */
function keyed(rows: Rows, parts: readonly unknown[]): Rows {
  const { parts: old, keys } = rows;
  const most = Math.min(old.length, parts.length);
  const start = sameRun(old, parts, most, "start");
  const end = sameRun(old, parts, most - start, "end");
  if (old.length === parts.length && start + end >= parts.length - 1) return { ...rows, parts };
  const free = new Map<unknown, number[]>();
  // Iterates backwards, because `pop` below has to return the key of the first equal row first.
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

/** A React key for each element of `parts`. Elements are compared by identity. */
export function useRowKeys(parts: readonly unknown[]): readonly number[] {
  const [rows, setRows] = useState<Rows>(() => ({ parts, keys: parts.map((_, index) => index), next: parts.length }));
  const same = rows.parts === parts || (rows.parts.length === parts.length && sameRun(rows.parts, parts, parts.length, "start") === parts.length);
  if (same) return rows.keys;
  const now = keyed(rows, parts);
  setRows(now);
  return now.keys;
}
