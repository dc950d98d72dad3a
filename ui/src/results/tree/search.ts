/** A search through all keys and values of a tape. */

import { finder, MATCHES_MAX } from "../find";
import type { Steps } from "../json/steps";
import { isContainer, keyAt, kindOf, lengthOf, nextOf, sourceOf, stringAt, type Tape } from "../json/tape";

const BREATH = 4_096;
/** A long text takes its time too. */
const BREATH_CHARACTERS = 500_000;

/** The values whose key or text holds the words, in document order. */
export function* searchSteps(tape: Tape, root: number, words: string): Steps<readonly number[]> {
  const pattern = finder(words);
  const found: number[] = [];
  if (pattern === null) return found;
  const holds = (text: string) => {
    pattern.lastIndex = 0;
    return pattern.test(text);
  };
  const end = nextOf(tape, root);
  let breath = BREATH;
  let characters = 0;
  for (let node = root; node < end && found.length < MATCHES_MAX; node += 1) {
    const key = node === root ? null : keyAt(tape, node);
    if (typeof key === "string" && holds(key)) found.push(node);
    else if (!isContainer(tape, node)) {
      characters += lengthOf(tape, node);
      if (holds(kindOf(tape, node) === "string" ? stringAt(tape, node) : sourceOf(tape, node))) found.push(node);
    }
    breath -= 1;
    if (breath <= 0 || characters > BREATH_CHARACTERS) {
      breath = BREATH;
      characters = 0;
      yield;
    }
  }
  return found;
}
