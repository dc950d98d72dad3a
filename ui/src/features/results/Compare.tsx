/** Compares two results of a tool line by line: as formatted JSON, or as the text of their content parts. */
import { useMemo, useState } from "react";

import type { CallOutcome } from "../../ipc/bindings";
import { Sign } from "../../components/Icon";
import { Segmented } from "../../components/Segmented";
import { number } from "../../lib/format";
import { CodeView } from "./code/CodeView";
import { DiffView } from "./code/DiffView";
import { mayBeJson } from "./content";
import { prettySteps } from "./json/pretty";
import type { Steps } from "./json/steps";
import { childAt, childrenOf, kindOf, readTape, type Tape, textAt } from "./json/tape";
import { useSteps } from "./json/useSteps";
import { rawOf } from "./RawPane";

/** The label and the unchanged JSON text of a result. */
interface ComparedSide {
  readonly title: string;
  readonly text: string;
}

export function sideOf(title: string, outcome: CallOutcome): ComparedSide {
  return { title, text: rawOf(outcome) };
}

/**
 * Converts a result to comparable text: structured content as formatted JSON, otherwise text parts unchanged and
 * other parts as JSON.
 */
function* readable(text: string): Steps<string> {
  const read = yield* readTape(text);
  if ("problem" in read) return text;
  const structured = childAt(read.ok, 0, "structuredContent");
  if (structured >= 0) return yield* prettySteps(read.ok, structured);
  const content = childAt(read.ok, 0, "content");
  if (content < 0 || kindOf(read.ok, content) !== "array") return yield* prettySteps(read.ok);
  const texts: string[] = [];
  for (const part of childrenOf(read.ok, content)) texts.push(yield* readablePart(read.ok, part));
  return texts.join("\n");
}

function* readablePart(tape: Tape, part: number): Steps<string> {
  const text = textAt(tape, part, "text");
  if (text === undefined || textAt(tape, part, "type") !== "text") return yield* prettySteps(tape, part);
  if (!mayBeJson(text)) return text;
  const read = yield* readTape(text);
  return "ok" in read ? yield* prettySteps(read.ok) : text;
}

/**
 * The maximum total length of both texts, in characters. A comparison of longer texts would block the window for
 * seconds.
 */
export const COMPARED_MAX = 4_000_000;

export function Compare({ left, right }: { left: ComparedSide; right: ComparedSide }) {
  const begin = useMemo(
    () =>
      function* both(): Steps<readonly [string, string]> {
        return [yield* readable(left.text), yield* readable(right.text)];
      },
    [left.text, right.text],
  );
  const texts = useSteps(begin, left.text.length + right.text.length);
  if (texts === null) return <p role="status" className="text-dim"><Sign of="dashes" className="text-warn me-1" />Comparing…</p>;
  const isJson = texts.every(mayBeJson);
  if (texts[0].length + texts[1].length > COMPARED_MAX && texts[0] !== texts[1]) {
    return <TooLarge sides={[{ title: left.title, text: texts[0] }, { title: right.title, text: texts[1] }]} isJson={isJson} />;
  }
  return (
    <div className="flex min-h-0 flex-1 flex-col gap-2">
      <p className="text-sm text-dim">
        <span className="text-bad">−</span> only in {left.title}, <span className="text-ok">+</span> only in {right.title}
      </p>
      <DiffView left={texts[0]} right={texts[1]} label="Differences" isJson={isJson} />
    </div>
  );
}

/** Shows one of two results at a time, if they are too large to compare. */
function TooLarge({ sides, isJson }: { sides: readonly [ComparedSide, ComparedSide]; isJson: boolean }) {
  const [shown, setShown] = useState<"left" | "right">("left");
  const { title, text } = sides[shown === "left" ? 0 : 1];
  return (
    <div className="flex flex-col items-start gap-2 *:max-w-full">
      <p role="status" data-testid="comparison-too-large">
        These results are too large to compare: together more than {number(COMPARED_MAX)} characters.
      </p>
      <Segmented aria-label="Shown result" value={shown} options={[{ value: "left", label: sides[0].title }, { value: "right", label: sides[1].title }]} onValue={setShown} />
      <div className="w-full"><CodeView isJson={isJson} text={text} label={`Result ${title}`} /></div>
    </div>
  );
}
