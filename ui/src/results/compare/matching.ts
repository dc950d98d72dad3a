/** What two lists have in common, in order (Myers 1986): bounded, as two lists may have nothing in common. */

import type { Steps } from "../json/steps";

/** Places in the left and the right list that belong together, ascending. */
type Matches = readonly (readonly [number, number])[];

/**
 * The longest common part of two lists of names, or `null` where they differ at more than `most`
 * places. What both begin and end with costs nothing.
 */
export function* matchSteps(left: Int32Array, right: Int32Array, most: number): Steps<Matches | null> {
  let head = 0;
  while (head < left.length && head < right.length && left[head] === right[head]) head += 1;
  let tail = 0;
  while (tail < left.length - head && tail < right.length - head && left[left.length - 1 - tail] === right[right.length - 1 - tail]) tail += 1;
  const n = left.length - head - tail;
  const m = right.length - head - tail;
  const middle = yield* middleSteps(left.subarray(head, head + n), right.subarray(head, head + m), most);
  if (middle === null) return null;
  const matches: (readonly [number, number])[] = [];
  for (let at = 0; at < head; at += 1) matches.push([at, at]);
  for (const [a, b] of middle) matches.push([a + head, b + head]);
  for (let at = 0; at < tail; at += 1) matches.push([head + n + at, head + m + at]);
  return matches;
}

function* middleSteps(left: Int32Array, right: Int32Array, most: number): Steps<Matches | null> {
  const [n, m] = [left.length, right.length];
  if (n === 0 || m === 0) return [];
  const limit = Math.min(most, n + m);
  // How far each diagonal was come with so many differences; a copy for each number of them.
  const furthest = new Int32Array(2 * limit + 3);
  const trace: Int32Array[] = [];
  const mid = limit + 1;
  for (let differences = 0; differences <= limit; differences += 1) {
    trace.push(furthest.slice(mid - differences - 1, mid + differences + 2));
    for (let diagonal = -differences; diagonal <= differences; diagonal += 2) {
      const below = furthest[mid + diagonal + 1] ?? 0;
      const above = (furthest[mid + diagonal - 1] ?? 0) + 1;
      let x = diagonal === -differences || (diagonal !== differences && above <= below) ? below : above;
      let y = x - diagonal;
      while (x < n && y < m && left[x] === right[y]) {
        x += 1;
        y += 1;
      }
      furthest[mid + diagonal] = x;
      if (x >= n && y >= m) return wayBack(trace, n, m);
    }
    if (differences % 8 === 0) yield;
  }
  return null;
}

/** Goes the way back from the end and notes the equal places. */
function wayBack(trace: readonly Int32Array[], n: number, m: number): Matches {
  const matches: (readonly [number, number])[] = [];
  let [x, y] = [n, m];
  for (let differences = trace.length - 1; differences >= 0; differences -= 1) {
    const furthest = trace[differences] ?? new Int32Array();
    const mid = differences + 1;
    const diagonal = x - y;
    const below = furthest[mid + diagonal + 1] ?? 0;
    const above = (furthest[mid + diagonal - 1] ?? 0) + 1;
    const down = diagonal === -differences || (diagonal !== differences && above <= below);
    const from = differences === 0 ? 0 : down ? below : above;
    while (x > from && y > from - diagonal) {
      x -= 1;
      y -= 1;
      matches.push([x, y]);
    }
    if (down) y = from - diagonal - 1;
    else x = from - 1;
  }
  return matches.reverse();
}
