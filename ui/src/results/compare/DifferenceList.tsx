import { useMemo, useState } from "react";

import { Button } from "../../parts/Button";
import { Sign } from "../../parts/Icon";
import { number } from "../../words/format";
import { kindOf, stringAt } from "../json/tape";
import { useSteps } from "../json/useSteps";
import { LongText } from "../text/LongText";
import { copyOf } from "../tree/RowWords";
import { LineView } from "./LineView";
import { lineSteps } from "./lines";
import type { Difference, Place } from "./structure";

const STEP = 100;
/** Longer texts are compared line by line only in the view by line. */
const LINES_WITHIN = 100_000;

const MARKS = {
  added: { sign: "plus", colour: "text-ok" },
  removed: { sign: "minus", colour: "text-bad" },
  changed: { sign: "delta", colour: "text-warn" },
} as const;

export function DifferenceList({ differences }: { differences: readonly Difference[] }) {
  const [room, setRoom] = useState(STEP);
  if (differences.length === 0) return null;
  const left = differences.length - room;
  return (
    // A region that scrolls has to be reached by the keyboard.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div role="region" aria-label="Differences" tabIndex={0} className="min-h-0 flex-1 overflow-y-auto">
      <ul className="flex flex-col gap-2">
        {differences.slice(0, room).map((difference, index) => (
          <li key={index} className="rounded-md border border-line px-2 py-1">
            <p className="text-sm">
              <span className={MARKS[difference.kind].colour}>
                <Sign of={MARKS[difference.kind].sign} className="me-1" />
                {difference.kind}
              </span>{" "}
              <code className="font-mono [overflow-wrap:anywhere]">{difference.path === "" ? "the whole" : difference.path}</code>
            </p>
            <Sides difference={difference} />
          </li>
        ))}
      </ul>
      {left > 0 && (
        <Button className="my-2" onClick={() => setRoom(room + STEP)}>Show {number(Math.min(STEP, left))} more of {number(left)}</Button>
      )}
    </div>
  );
}

/** A text of several lines is compared by line; every other value stands whole on its side. */
function Sides({ difference: { left, right } }: { difference: Difference }) {
  const [a, b] = [linesOf(left), linesOf(right)];
  if (a !== null && b !== null && (a.includes("\n") || b.includes("\n")) && a.length + b.length < LINES_WITHIN) {
    return <TextDifference left={a} right={b} />;
  }
  return (
    <div className="flex flex-col gap-1">
      {left !== null && <Side sign="−" word="before" colour="border-bad" place={left} />}
      {right !== null && <Side sign="+" word="after" colour="border-ok" place={right} />}
    </div>
  );
}

function linesOf(place: Place | null): string | null {
  return place !== null && kindOf(place.tape, place.node) === "string" ? stringAt(place.tape, place.node) : null;
}

function TextDifference({ left, right }: { left: string; right: string }) {
  const begin = useMemo(() => () => lineSteps(left, right), [left, right]);
  const found = useSteps(begin, left.length + right.length);
  return found && <LineView difference={found} />;
}

function Side({ sign, word, colour, place }: { sign: string; word: string; colour: string; place: Place }) {
  const { tape, node } = place;
  const text = useMemo(() => copyOf(tape, node), [tape, node]);
  return (
    <div className={`border-s-2 ps-2 ${colour}`}>
      <span className="sr-only">{word}</span>
      <span aria-hidden className="float-start pe-2 text-faint">{sign}</span>
      <LongText text={text} label={word} />
    </div>
  );
}
