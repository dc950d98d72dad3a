/**
 * Finds text parts that repeat the structured content of the same result. Servers send such parts for older
 * clients.
 */
import { mayBeJson, type Part } from "./content";
import { finish } from "./json/steps";
import { childrenOf, countOf, keyAt, kindOf, lengthOf, readTape, sourceOf, stringAt, type Tape } from "./json/tape";

/** The maximum length of compared texts, in characters. */
const COMPARED_MAX = 1_000_000;

/**
 * Whether two JSON values are equal. The order of keys does not matter, but numbers must be written with the same
 * digits.
 */
function isSame(a: Tape, at: number, b: Tape, bt: number): boolean {
  const kind = kindOf(a, at);
  if (kind !== kindOf(b, bt) || countOf(a, at) !== countOf(b, bt)) return false;
  if (kind === "string") return stringAt(a, at) === stringAt(b, bt);
  if (kind !== "object" && kind !== "array") return sourceOf(a, at) === sourceOf(b, bt);
  const others = new Map([...childrenOf(b, bt)].map((child) => [keyAt(b, child), child]));
  if (others.size !== countOf(b, bt)) return false;
  return [...childrenOf(a, at)].every((child) => {
    const other = others.get(keyAt(a, child));
    return other !== undefined && isSame(a, child, b, other);
  });
}

/**
 * How a text part repeats the structured content: as the content's JSON (`json`) or as one of the content's strings
 * (`string`); `null` if the part does not repeat the content.
 */
export function repeats(part: Part, tape: Tape, root: number): "json" | "string" | null {
  if (part.kind !== "text" || part.notes !== null || part.text.length > COMPARED_MAX || lengthOf(tape, root) > COMPARED_MAX) return null;
  const { text } = part;
  const values = kindOf(tape, root) === "object" ? [...childrenOf(tape, root)] : [];
  if (values.some((value) => kindOf(tape, value) === "string" && stringAt(tape, value) === text)) return "string";
  if (!mayBeJson(text)) return null;
  const read = finish(readTape(text));
  if (!("ok" in read)) return null;
  // Some servers wrap a list in an object with one key, and repeat only the list in the text part.
  const roots = values.length === 1 ? [root, ...values] : [root];
  return roots.some((one) => isSame(read.ok, 0, tape, one)) ? "json" : null;
}
