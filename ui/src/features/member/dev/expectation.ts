/** The expectations that an example can have, derived from a result that is on the screen. */
import type { CallOutcome } from "../../../ipc/bindings";
import { readResult } from "../../results/content";
import { finish } from "../../results/json/steps";
import { kindOf, readTape, sourceOf } from "../../results/json/tape";

/** One expectation that can be chosen. */
interface Expectation {
  readonly word: string;
  /** As the manifest has it: an object as JSON text. */
  readonly expect: string;
}

/** A longer result makes no expectation: a manifest is a short file. */
const RESULT_MAX = 32_000;

/** The expectations that fit an outcome, weakest first. Without a result: no error. */
export function expectationsOf(outcome: CallOutcome | null): readonly Expectation[] {
  const works = { word: "No error", expect: "{}" };
  if (outcome?.end.kind !== "result") return [works];
  const { result, isError } = outcome.end;
  const failed = isError ? '"is_error": true' : "";
  const and = (more: string) => `{${[failed, more].filter(Boolean).join(", ")}}`;
  const choices: Expectation[] = [isError ? { word: "A tool error", expect: and("") } : works];
  if (result.length > RESULT_MAX) return choices;
  const read = finish(readTape(result));
  if (!("ok" in read)) return choices;
  const { parts, structured } = readResult(read.ok);
  const texts = parts.flatMap((part) => (part.kind === "text" ? [part.text] : []));
  if (texts.length > 0) choices.push({ word: "This text", expect: and(`"text_equals": ${JSON.stringify(texts.join("\n"))}`) });
  if (structured >= 0 && kindOf(read.ok, structured) === "object") {
    choices.push({ word: "At least this structured content", expect: and(`"structured": ${sourceOf(read.ok, structured)}`) });
  }
  return choices;
}
