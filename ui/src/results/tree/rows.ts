/**
 * Which rows of a JSON tree are seen. A long list or object is divided into groups of a thousand,
 * so that opening it draws no million rows, and the end of it is two keys away.
 */

import { childrenOf, countOf, isContainer, parentOf, type Tape } from "../json/tape";

const GROUP = 1_000;
/** So many rows are open at most. */
export const ROWS_MAX = 50_000;

/** One row: a value, or a group of a value's children. */
export interface TreeRow {
  readonly id: string;
  readonly node: number;
  /** The first child and the one after the last, where the row is a group. */
  readonly group: readonly [number, number] | null;
  readonly depth: number;
  readonly open: boolean;
  /** Its place among its siblings, from 1, and how many there are. */
  readonly place: number;
  readonly among: number;
}

export type OpenRows = ReadonlySet<string>;

export function rowId(node: number, from?: number): string {
  return from === undefined ? String(node) : `${node}:${from}`;
}

/** The children of a value by number; worked out once, as a walk over a million takes its time. */
const known = new WeakMap<Tape, Map<number, Int32Array>>();

export function childList(tape: Tape, node: number): Int32Array {
  let lists = known.get(tape);
  if (lists === undefined) {
    lists = new Map();
    known.set(tape, lists);
  }
  let list = lists.get(node);
  if (list === undefined) {
    list = new Int32Array(countOf(tape, node));
    let index = 0;
    for (const child of childrenOf(tape, node)) {
      list[index] = child;
      index += 1;
    }
    // Only the long ones are worth being kept; all of them together are no longer than the tape.
    if (list.length > 64) lists.set(node, list);
  }
  return list;
}

/** The rows that are seen, and whether some had to be left out. */
export function treeRows(tape: Tape, root: number, open: OpenRows): { rows: TreeRow[]; cut: boolean } {
  const rows: TreeRow[] = [];
  let cut = false;
  const add = (row: TreeRow): boolean => {
    if (rows.length >= ROWS_MAX) cut = true;
    else rows.push(row);
    return !cut;
  };
  const within = (node: number, from: number, to: number, depth: number) => {
    const children = childList(tape, node);
    for (let index = from; index < to && !cut; index += 1) {
      visit(children[index] ?? 0, depth, index + 1, children.length);
    }
  };
  const visit = (node: number, depth: number, place: number, among: number) => {
    const id = rowId(node);
    const opened = isContainer(tape, node) && open.has(id);
    if (!add({ id, node, group: null, depth, open: opened, place, among }) || !opened) return;
    const count = countOf(tape, node);
    if (count <= GROUP) {
      within(node, 0, count, depth + 1);
      return;
    }
    const groups = Math.ceil(count / GROUP);
    for (let group = 0; group < groups && !cut; group += 1) {
      const from = group * GROUP;
      const to = Math.min(count, from + GROUP);
      const groupId = rowId(node, from);
      const groupOpen = open.has(groupId);
      const row: TreeRow = { id: groupId, node, group: [from, to], depth: depth + 1, open: groupOpen, place: group + 1, among: groups };
      if (add(row) && groupOpen) within(node, from, to, depth + 2);
    }
  };
  visit(root, 1, 1, 1);
  return { rows, cut };
}

/** Every row that has to be open for a value to be seen. */
export function wayTo(tape: Tape, node: number, root: number): string[] {
  const ids: string[] = [];
  for (let at = node; at > root; ) {
    const parent = parentOf(tape, at);
    ids.push(rowId(parent));
    if (countOf(tape, parent) > GROUP) {
      const children = childList(tape, parent);
      ids.push(rowId(parent, Math.floor(indexIn(children, at) / GROUP) * GROUP));
    }
    at = parent;
  }
  return ids;
}

/** Children stand in document order, so their numbers ascend. */
function indexIn(children: Int32Array, node: number): number {
  let low = 0;
  let high = children.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((children[middle] ?? 0) < node) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** What is open when everything below a row is, level by level, until there would be too many rows. */
export function openBelow(tape: Tape, row: TreeRow, open: OpenRows, room = ROWS_MAX): Set<string> {
  const next = new Set(open);
  let left = room;
  let level: (readonly [number, number, number])[] = [];
  const enter = (node: number, from: number, to: number) => {
    next.add(row.group !== null && node === row.node ? row.id : rowId(node));
    left -= to - from;
    level.push([node, from, to]);
  };
  if (row.group !== null) enter(row.node, ...row.group);
  else enter(row.node, 0, countOf(tape, row.node));
  while (level.length > 0 && left > 0) {
    const above = level;
    level = [];
    for (const [node, from, to] of above) {
      const children = childList(tape, node);
      const grouped = children.length > GROUP;
      for (let index = from; index < to && left > 0; index += 1) {
        if (grouped && index % GROUP === 0) next.add(rowId(node, index));
        const child = children[index] ?? 0;
        const count = countOf(tape, child);
        if (isContainer(tape, child) && count > 0) {
          next.add(rowId(child));
          left -= count;
          level.push([child, 0, count]);
        }
      }
    }
  }
  return next;
}

/** What is open when nothing below a row is. */
export function closeBelow(tape: Tape, row: TreeRow, open: OpenRows): Set<string> {
  const children = childList(tape, row.node);
  const from = row.group ? (children[row.group[0]] ?? 0) : row.node;
  const last = row.group ? (children[row.group[1] - 1] ?? 0) : row.node;
  const end = tape.nexts[last] ?? tape.size;
  return new Set(
    [...open].filter((id) => {
      if (row.group !== null && id === row.id) return false;
      const node = Number.parseInt(id, 10);
      return node < from || node >= end;
    }),
  );
}
