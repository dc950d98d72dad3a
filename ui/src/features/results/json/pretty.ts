/** Formats JSON over several lines. Only whitespace changes: values and digits stay as the server sent them. */

import { finish, type Steps } from "./steps";
import { countOf, isContainer, kindOf, nextOf, parentOf, readTape, sourceOf, stringAt, type Tape } from "./tape";

/** The maximum length of text that `formatted` indents, in characters. */
const FORMATTED_MAX = 1_000_000;
const YIELD_EVERY = 4_096;
/** Levels below this depth are not indented further. */
const INDENT_MAX = 40;

function keyText(tape: Tape, node: number): string {
  const key = tape.keys[node] ?? -1;
  if (key < 0) return "";
  const colon = tape.source.lastIndexOf(":", tape.starts[node]);
  return `${tape.source.slice(key, colon).trimEnd()}: `;
}

/** Formats one value of a tape, by default the root. */
export function* prettySteps(tape: Tape, root = 0): Steps<string> {
  const parts: string[] = [];
  const open: number[] = [];
  const end = nextOf(tape, root);
  const margin = () => `\n${"  ".repeat(Math.min(INDENT_MAX, open.length))}`;
  let untilYield = YIELD_EVERY;
  let node = root;
  while (node < end) {
    const first = parentOf(tape, node) === node - 1;
    if (node !== root) parts.push(first ? margin() : `,${margin()}`, keyText(tape, node));
    if (isContainer(tape, node) && countOf(tape, node) > 0) {
      parts.push(kindOf(tape, node) === "object" ? "{" : "[");
      open.push(node);
      node += 1;
    } else {
      parts.push(isContainer(tape, node) ? (kindOf(tape, node) === "object" ? "{}" : "[]") : sourceOf(tape, node));
      node += 1;
      for (let last = open.at(-1); last !== undefined && nextOf(tape, last) === node; last = open.at(-1)) {
        open.pop();
        parts.push(margin(), kindOf(tape, last) === "object" ? "}" : "]");
      }
    }
    untilYield -= 1;
    if (untilYield === 0) {
      untilYield = YIELD_EVERY;
      yield;
    }
  }
  return parts.join("");
}

/** The text to copy for a value: the content of a string, or indented JSON for any other value. */
export function copyOf(tape: Tape, node: number): string {
  return kindOf(tape, node) === "string" ? stringAt(tape, node) : finish(prettySteps(tape, node));
}

/** Indents JSON text up to `FORMATTED_MAX`. Longer text and text that is not JSON are returned unchanged. */
export function formatted(text: string): string {
  if (text.length > FORMATTED_MAX) return text;
  const read = finish(readTape(text));
  return "ok" in read ? finish(prettySteps(read.ok)) : text;
}
