/**
 * What came back of a call. Five faces: ok, the tool's own error, a protocol error, no connection
 * or a process that ended, and a time limit or a cancel. Whatever a server sent is shown as text,
 * or as an image or a sound of a few harmless types; never as markup, and nothing is fetched.
 */

import { type KeyboardEvent, useId, useMemo, useState } from "react";

import type { CallOutcome } from "../bridge/bindings";
import { EditorBoundary } from "../form/view/EditorBoundary";
import { CopyButton } from "../parts/CopyButton";
import { duration } from "../words/time";
import { readResult, sizeWord } from "./content";
import { faceOf } from "./face";
import { Failure } from "./Failure";
import { PartView } from "./Parts";
import { Running, type RunningCall } from "./Running";
import { LongText } from "./TextPart";
import { StructuredTree } from "./Tree";

export type { RunningCall } from "./Running";

export interface ResultPaneProps {
  readonly outcome: CallOutcome | null;
  readonly running: RunningCall | null;
  readonly onCancel: () => void;
  /** Restarts the member, where its connection or process failed. */
  readonly onRestart?: () => void;
  /** Calls again with the same arguments and a longer limit, in milliseconds. */
  readonly onRetry?: (timeoutMs: number) => void;
}

export function ResultPane({ outcome, running, onCancel, onRestart, onRetry }: ResultPaneProps) {
  return (
    <section aria-label="Result" className="flex min-h-0 flex-1 flex-col">
      {running !== null && <Running call={running} onCancel={onCancel} />}
      {outcome !== null && <Outcome key={outcome.call} {...{ outcome, onRestart, onRetry }} />}
      {outcome === null && running === null && (
        <p className="px-3 py-4 text-dim">No result yet. Press Enter in the form, or Ctrl+Enter anywhere, to run the tool.</p>
      )}
    </section>
  );
}

/** The text of a call's end as it came over the wire. */
function rawOf({ end }: CallOutcome): string {
  return end.kind === "result" ? end.result : JSON.stringify({ report: end.report, error: end.rpc }, null, 2);
}

const TABS = ["Result", "Raw"] as const;

interface OutcomeProps {
  readonly outcome: CallOutcome;
  readonly onRestart: (() => void) | undefined;
  readonly onRetry: ((timeoutMs: number) => void) | undefined;
}

function Outcome({ outcome, onRestart, onRetry }: OutcomeProps) {
  const id = useId();
  const [tab, setTab] = useState<(typeof TABS)[number]>("Result");
  const { end } = outcome;
  const face = faceOf(end);
  const raw = useMemo(() => rawOf(outcome), [outcome]);
  const size = useMemo(() => new TextEncoder().encode(raw).length, [raw]);
  const swap = (event: KeyboardEvent) => {
    if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
    event.preventDefault();
    const next = tab === "Result" ? "Raw" : "Result";
    setTab(next);
    document.getElementById(`${id}-${next}`)?.focus();
  };
  const failed = face.name !== "ok" && face.name !== "cancelled";
  return (
    <>
      <header className="flex shrink-0 flex-wrap items-center gap-2 border-b border-line px-3 py-1">
        <div role="tablist" aria-label="Result">
          {TABS.map((name) => (
            <button
              key={name}
              id={`${id}-${name}`}
              type="button"
              role="tab"
              aria-selected={name === tab}
              aria-controls={`${id}-panel`}
              tabIndex={name === tab ? 0 : -1}
              className={`border-b-2 px-2 py-0.5 ${name === tab ? "border-accent text-text" : "border-transparent text-dim hover:text-text"}`}
              onClick={() => setTab(name)}
              onKeyDown={swap}
            >
              {name}
            </button>
          ))}
        </div>
        <p data-testid="result-status" data-face={face.name} role={failed ? "alert" : "status"} className="grow">
          <span className={face.colour}>
            <span aria-hidden>{face.shape} </span>
            {face.word}
          </span>
          <span className="text-dim">
            {" "}
            {duration(outcome.durationMs)}
            {end.kind === "result" && ` · ${sizeWord(size)}`}
          </span>
        </p>
        <CopyButton text={() => raw} what="whole result" />
      </header>
      <div
        id={`${id}-panel`}
        role="tabpanel"
        aria-labelledby={`${id}-${tab}`}
        className="flex min-h-0 flex-1 flex-col gap-2 overflow-auto px-3 py-2"
      >
        {tab === "Raw" ? (
          <LongText text={raw} label="raw result" />
        ) : end.kind === "failed" ? (
          <Failure end={end} face={face} durationMs={outcome.durationMs} onRestart={onRestart} onRetry={onRetry} />
        ) : (
          <EditorBoundary fallback={<LongText text={raw} label="raw result" />}>
            <Contents text={end.result} frame={face.frame} />
          </EditorBoundary>
        )}
      </div>
    </>
  );
}

function Contents({ text, frame }: { text: string; frame: string }) {
  const result = useMemo(() => readResult(text), [text]);
  return (
    <div className={`flex flex-col gap-2 ${frame === "border-line" ? "" : `border-l-2 pl-2 ${frame}`}`}>
      {result.problem !== null && <p className="text-warn">▲ {result.problem}</p>}
      {result.parts.map((part, index) => (
        <PartView key={index} part={part} />
      ))}
      {result.structured !== null && <StructuredTree value={result.structured} />}
      {result.parts.length === 0 && result.structured === null && result.problem === null && (
        <p className="text-dim">The tool answered with nothing.</p>
      )}
      {result.problem !== null && result.parts.length === 0 && <LongText text={text} label="raw result" />}
    </div>
  );
}
