/**
 * Scores how well letters match a text. Consecutive letters at the start of a word score highest. Letters
 * scattered over the text match too, and longer words may contain one wrong letter.
 */

export interface Match {
  score: number;
  /** The indexes of the matching letters in the text. */
  at: readonly number[];
}

/** The maximum number of characters of a text that are searched. `WORD_MAX` is the same limit for a search word. */
const TEXT_MAX = 256;
const WORD_MAX = 64;

/**
 * Base scores: for a match of the whole text, of its beginning, of the beginning of a word, of a substring, of
 * scattered letters, and with one wrong letter.
 */
const WHOLE = 1_000;
const BEGINNING = 800;
const WORD = 600;
const INSIDE = 400;
const SCATTERED = 100;
const FORGIVEN = 10;
/** The minimum length of a word that may contain a wrong letter. Shorter words would match too much. */
const FORGIVING_FROM = 4;

const START_BONUS = 8;
const RUN_BONUS = 6;

function isWordStart(text: string, at: number): boolean {
  if (at === 0) return true;
  const [before = "", here = ""] = [text[at - 1], text[at]];
  if (!/[\p{L}\p{N}]/u.test(before)) return true;
  return /\p{Lu}/u.test(here) && !/\p{Lu}/u.test(before);
}

function places(from: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => from + index);
}

/** Matches the word as a substring of the text. Returns the best occurrence. */
function whole(word: string, { text, lower }: Prepared): Match | null {
  let best: Match | null = null;
  for (let at = lower.indexOf(word); at >= 0; at = lower.indexOf(word, at + 1)) {
    const rank =
      at === 0 ? (lower.length === word.length ? WHOLE : BEGINNING) : isWordStart(text, at) ? WORD : INSIDE;
    if (best && best.score >= rank) continue;
    best = { score: rank, at: places(at, word.length) };
    if (rank >= WORD) break;
  }
  // Of two equal matches, the shorter text scores higher.
  return best && { ...best, score: best.score - Math.min(50, lower.length - word.length) };
}

/**
 * Matches the letters of the word in order, with any characters between them. Returns the assignment with the best
 * score, found by dynamic programming.
 */
function scattered(word: string, one: Prepared): Match | null {
  const { lower } = one;
  if (!isWithin(word, lower)) return null;
  const width = lower.length;
  const starts = startsOf(one);
  /**
   * For each letter of the word and each index in the text, the index of the previous letter in the best
   * assignment.
   */
  const came: Int16Array[] = [];
  let before = new Float64Array(width).fill(0);
  for (let letter = 0; letter < word.length; letter += 1) {
    const here = new Float64Array(width).fill(-Infinity);
    const from = new Int16Array(width).fill(-1);
    let best = letter === 0 ? 0 : -Infinity;
    let bestAt = -1;
    for (let at = letter; at < width; at += 1) {
      const far = at >= 2 ? (before[at - 2] ?? -Infinity) : -Infinity;
      if (letter > 0 && far - 1 > best) [best, bestAt] = [far - 1, at - 2];
      if (lower[at] !== word[letter]) continue;
      const near = letter > 0 && at > 0 ? (before[at - 1] ?? -Infinity) + RUN_BONUS : -Infinity;
      const bonus = starts[at] ? START_BONUS : 1;
      here[at] = Math.max(best, near) + bonus;
      from[at] = near >= best ? at - 1 : bestAt;
    }
    came.push(from);
    before = here;
  }
  let end = -1;
  before.forEach((score, at) => {
    if (score > (before[end] ?? -Infinity)) end = at;
  });
  const score = before[end];
  if (score === undefined || score === -Infinity) return null;
  const at: number[] = [];
  for (let letter = word.length - 1, place = end; letter >= 0; letter -= 1) {
    at.unshift(place);
    place = came[letter]?.[place] ?? -1;
  }
  const span = end - (at[0] ?? 0) + 1;
  if (span > 2 * word.length + 3 && !areStarts(at, starts)) return null;
  return { score: SCATTERED + score - Math.min(50, width - word.length) / 10, at };
}

/**
 * Whether each letter begins a word or directly follows the previous letter. If not, the letters must be close
 * together.
 */
function areStarts(at: readonly number[], starts: readonly boolean[]): boolean {
  return at.every((place, index) => starts[place] === true || at[index - 1] === place - 1);
}

function isWithin(word: string, lower: string): boolean {
  let place = -1;
  for (const letter of word) {
    place = lower.indexOf(letter, place + 1);
    if (place < 0) return false;
  }
  return true;
}

/** Matches one word, which must be in lower case, against a text; `null` if it does not match. */
export function matchWord(word: string, text: string): Match | null {
  const one = prepared(text);
  const asked = word.slice(0, WORD_MAX);
  return whole(asked, one) ?? scattered(asked, one);
}

/** Like `matchWord`, but the word may have one additional letter or two swapped letters. */
export function matchForgiving(word: string, text: string): Match | null {
  const asked = word.slice(0, WORD_MAX);
  if (asked.length < FORGIVING_FROM) return null;
  let best: Match | null = null;
  for (let at = 0; at < asked.length; at += 1) {
    const without = asked.slice(0, at) + asked.slice(at + 1);
    const swapped = asked.slice(0, at) + (asked[at + 1] ?? "") + (asked[at] ?? "") + asked.slice(at + 2);
    for (const other of [without, swapped]) {
      const match = matchWord(other, text);
      // Letters that are scattered in addition to being wrong would match nearly every text.
      if (!match || match.score < INSIDE - 50) continue;
      const score = FORGIVEN + match.score / 20;
      if (!best || score > best.score) best = { ...match, score };
    }
  }
  return best;
}

/** A text that is prepared for searching. */
interface Prepared {
  text: string;
  /** The text in lower case, with the same length. */
  lower: string;
  /** For each index, whether a word begins at that index; `null` until computed. */
  starts: readonly boolean[] | null;
}

const PREPARED = new Map<string, Prepared>();
const PREPARED_MAX = 10_000;

function prepared(text: string): Prepared {
  const known = PREPARED.get(text);
  if (known) return known;
  const cut = text.slice(0, TEXT_MAX);
  const lower = cut.toLowerCase();
  // If lowercasing changes the length, the original text is used, because the indexes must refer to it.
  const made = { text: cut, lower: lower.length === cut.length ? lower : cut, starts: null };
  if (PREPARED.size >= PREPARED_MAX) PREPARED.clear();
  PREPARED.set(text, made);
  return made;
}

function startsOf(one: Prepared): readonly boolean[] {
  one.starts ??= places(0, one.lower.length).map((at) => isWordStart(one.text, at));
  return one.starts;
}

/** The words of a query, in lower case. */
export function wordsOf(query: string): string[] {
  return query.toLowerCase().split(/[\s/]+/).filter(Boolean).slice(0, 8);
}

/** A text to search, and the weight by which the score of a match in it is multiplied. */
export interface Field {
  text: string;
  weight: number;
}

/**
 * Matches all words against several fields. Each word needs a match in at least one field. `at` has only the
 * indexes of matches in the first field.
 */
export function matchAll(
  words: readonly string[],
  fields: readonly Field[],
  matchOne: (word: string, text: string) => Match | null = matchWord,
): Match | null {
  let score = 0;
  const at = new Set<number>();
  for (const word of words) {
    let best = 0;
    let places: readonly number[] = [];
    for (const [index, { text, weight }] of fields.entries()) {
      const match = matchOne(word, text);
      if (!match || match.score * weight <= best) continue;
      best = match.score * weight;
      places = index === 0 ? match.at : [];
    }
    if (best === 0) return null;
    score += best;
    for (const place of places) at.add(place);
  }
  return { score, at: [...at].sort((a, b) => a - b) };
}
