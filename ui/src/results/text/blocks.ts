/**
 * A long text cut into blocks, so that only those on the screen are on the page. A block ends at
 * the end of a line, or inside a line that is too long for one block.
 */

const LINES = 40;
const CHARACTERS = 4_000;
/** Browsers draw nothing below some thirty million pixels: so many lines are laid out at most. */
const LINES_MAX = 1_000_000;

interface Blocks {
  /** Where each block begins; one more, where the last one ends. */
  readonly starts: readonly number[];
  /** About how many lines each has on the screen. */
  readonly heights: readonly number[];
  /** How many lines the whole text has. */
  readonly lines: number;
  /** How many characters at its end are in no block. */
  readonly left: number;
}

const COLUMNS = 90;

export function blocksOf(text: string): Blocks {
  const starts = [0];
  const heights: number[] = [];
  let lines = 0;
  let start = 0;
  while (start < text.length && lines < LINES_MAX) {
    let end = start;
    let height = 0;
    for (let line = 0; line < LINES && end < text.length; line += 1) {
      const found = text.indexOf("\n", end);
      const lineEnd = found < 0 ? text.length : found + 1;
      if (lineEnd - start > CHARACTERS) {
        if (line === 0) {
          end = wholeCharacter(text, start + CHARACTERS);
          height = Math.ceil((end - start) / COLUMNS);
        }
        break;
      }
      height += Math.max(1, Math.ceil((lineEnd - end) / COLUMNS));
      if (found >= 0) lines += 1;
      end = lineEnd;
    }
    start = end;
    starts.push(end);
    heights.push(height);
  }
  if (!text.endsWith("\n")) lines += 1;
  return { starts, heights, lines, left: text.length - start };
}

/** A place that does not stand in the middle of a character written as two. */
function wholeCharacter(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff ? at + 1 : at;
}

/** The block that a character stands in. */
export function blockOf(starts: readonly number[], offset: number): number {
  let low = 0;
  let high = starts.length - 2;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return Math.max(0, low);
}

/** Where all hits begin, up to `max`. */
export function allHits(text: string, pattern: RegExp | null, max: number): number[] {
  const at: number[] = [];
  if (pattern === null) return at;
  pattern.lastIndex = 0;
  for (let hit = pattern.exec(text); hit !== null && at.length < max; hit = pattern.exec(text)) at.push(hit.index);
  return at;
}
