/** The expectations that an example can have, derived from the outcome of the displayed call. */
import type { CallOutcome } from "../../../ipc/bindings";
import { readResult } from "../../results/content";
import { finish } from "../../results/json/steps";
import { kindOf, readTape, sourceOf } from "../../results/json/tape";

/** One expectation that the user can select. */
interface Expectation {
  readonly word: string;
  /** The JSON text of the example's `expect` object in plugin.json. */
  readonly expect: string;
}

/** Maximum length of a result, in UTF-16 code units, whose content can be expected: plugin.json should stay short. */
const RESULT_MAX = 32_000;

/** The expectations that an outcome meets, weakest first. An outcome without a result has only "No error". */
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
