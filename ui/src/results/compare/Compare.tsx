/** Two results of a tool, and where they differ: by path, or line by line. */

import { useMemo } from "react";

import type { CallOutcome } from "../../bridge/bindings";
import { Sign } from "../../parts/Icon";
import { counted, number } from "../../words/format";
import { mayBeJson } from "../content";
import { prettySteps } from "../json/pretty";
import type { Steps } from "../json/steps";
import { childAt, childrenOf, kindOf, readTape, type Tape, textAt } from "../json/tape";
import { useSteps } from "../json/useSteps";
import { rawOf } from "../RawPane";
import { useView } from "../views";
import { ViewSwitch } from "../ViewSwitch";
import { DifferenceList } from "./DifferenceList";
import { LineView } from "./LineView";
import { lineSteps, LINES_MAX } from "./lines";
import { compareSteps, DIFFERENCES_MAX, type Differences } from "./structure";

/** One of the two: what it is called, and its result as it came, as JSON text. */
interface ComparedSide {
  readonly title: string;
  readonly text: string;
}

export function sideOf(title: string, outcome: CallOutcome): ComparedSide {
  return { title, text: rawOf(outcome) };
}

interface Props {
  readonly left: ComparedSide;
  readonly right: ComparedSide;
}

const VIEWS = ["By path", "By line"] as const;

export function Compare({ left, right }: Props) {
  const [view, setView] = useView<(typeof VIEWS)[number]>("compare", VIEWS);
  return (
    <div className="flex min-h-0 flex-1 flex-col gap-2">
      <div className="flex flex-wrap items-center gap-2">
        <ViewSwitch label="How they are compared" views={VIEWS} view={view} onView={setView} />
        <span className="text-sm text-dim">
          <span className="text-bad">−</span> only in {left.title}, <span className="text-ok">+</span> only in {right.title}
        </span>
      </div>
      {view === "By path" ? <ByPath left={left} right={right} /> : <ByLine left={left} right={right} />}
    </div>
  );
}

function Busy() {
  return <p role="status" className="text-dim"><Sign of="dashes" className="text-warn me-1" />comparing</p>;
}

/** The differences by path; `null` where one of the two is no JSON. */
function* pathSteps(left: string, right: string): Steps<Differences | { readonly why: string }> {
  const a = yield* readTape(left);
  const b = yield* readTape(right);
  if ("problem" in a) return { why: a.problem.message };
  if ("problem" in b) return { why: b.problem.message };
  return yield* compareSteps(a.ok, b.ok);
}

function ByPath({ left, right }: Props) {
  const begin = useMemo(() => () => pathSteps(left.text, right.text), [left.text, right.text]);
  const found = useSteps(begin, left.text.length + right.text.length);
  if (found === null) return <Busy />;
  if ("why" in found) return <p data-testid="comparison-why" className="text-warn"><Sign of="warning" className="me-1" />They can't be compared by path: {found.why} Compare them by line.</p>;
  const count = (kind: string) => found.list.filter((one) => one.kind === kind).length;
  return (
    <>
      <p data-testid="comparison-summary" role="status">
        {found.list.length === 0
          ? "The two results are the same."
          : `${number(count("changed"))} changed, ${number(count("added"))} added, ${number(count("removed"))} removed`}
        {found.more && <span className="text-warn"> <Sign of="warning" className="me-1" />more than {number(DIFFERENCES_MAX)} differences; the rest is not shown</span>}
      </p>
      <DifferenceList differences={found.list} />
    </>
  );
}

/** A result as text: its texts as they read, JSON spread out, everything else as JSON. */
function* readable(text: string): Steps<string> {
  const read = yield* readTape(text);
  if ("problem" in read) return text;
  const content = childAt(read.ok, 0, "content");
  if (content < 0 || kindOf(read.ok, content) !== "array" || childAt(read.ok, 0, "structuredContent") >= 0) {
    return yield* prettySteps(read.ok);
  }
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

function* textSteps(left: string, right: string) {
  return yield* lineSteps(yield* readable(left), yield* readable(right));
}

function ByLine({ left, right }: Props) {
  const begin = useMemo(
    () =>
      function* difference() {
        return { lines: yield* textSteps(left.text, right.text) };
      },
    [left.text, right.text],
  );
  const found = useSteps(begin, left.text.length + right.text.length);
  if (found === null) return <Busy />;
  const { lines } = found;
  if (lines === null) {
    return <p className="text-warn"><Sign of="warning" className="me-1" />One of them has more than {number(LINES_MAX)} lines, which is too much to be compared by line. Compare them by path.</p>;
  }
  return (
    <>
      <p data-testid="comparison-summary" role="status">
        {lines.added + lines.removed === 0
          ? "The two texts are the same."
          : `${counted(lines.added, { one: "line", other: "lines" })} added, ${counted(lines.removed, { one: "line", other: "lines" })} removed`}
        {lines.blunt && <span className="text-warn"> <Sign of="warning" className="me-1" />they differ in too many lines to be matched: the middle stands as one block</span>}
      </p>
      <LineView difference={lines} />
    </>
  );
}
