/**
 * What came back of a call. Five faces: ok, the tool's own error, a protocol error, no connection
 * or a process that ended, and a time limit or a cancel. Whatever a server sent is shown as text,
 * or as an image or a sound of a few harmless types; never as markup, and nothing is fetched.
 */

import { useEffect, useMemo, useRef } from "react";

import { useKeysOf } from "../app/useKeysOf";
import type { CallOutcome } from "../bridge/bindings";
import { EditorBoundary } from "../form/view/EditorBoundary";
import { Sign } from "../parts/Icon";
import { isFocusNowhere } from "../parts/focus";
import { AnsweredFrame } from "./AnsweredFrame";
import { byteSteps, readResult } from "./content";
import { type CallFace, faceOf } from "./face";
import { Failure } from "./Failure";
import type { Tape } from "./json/tape";
import { useSteps, useTape } from "./json/useSteps";
import { PartView, ReadResourceContext } from "./Parts";
import { rawOf } from "./RawPane";
import { Running, type RunningCall } from "./Running";
import { Structured } from "./Structured";
import { LongText } from "./text/LongText";

export type { RunningCall } from "./Running";

interface ResultPaneProps {
  readonly outcome: CallOutcome | null;
  readonly running: RunningCall | null;
  readonly onCancel: () => void;
  /** Restarts the member, where its connection or process failed. */
  readonly onRestart?: () => void;
  /** Calls again with the same arguments and a longer limit, in milliseconds. */
  readonly onRetry?: (timeoutMs: number) => void;
  /** Reads a resource that the result links to. */
  readonly onReadResource?: (uri: string) => void;
}

export function ResultPane({ outcome, running, onCancel, onRestart, onRetry, onReadResource }: ResultPaneProps) {
  const keys = useKeysOf("run");
  const pane = useRef<HTMLElement>(null);
  // The buttons that cancel and that call again go with what they did; the focus stays beside them.
  const isPressed = useRef(false);
  const isRunning = running !== null;
  useEffect(() => {
    if (isPressed.current && isFocusNowhere()) pane.current?.focus({ preventScroll: true });
    isPressed.current = false;
  }, [outcome, isRunning]);
  const pressed = (act: () => void) => {
    isPressed.current = true;
    act();
  };
  const retry = onRetry && ((timeoutMs: number) => pressed(() => onRetry(timeoutMs)));
  return (
    <section ref={pane} tabIndex={-1} aria-label="Result" className="flex min-h-0 flex-1 flex-col outline-none">
      {running !== null && <Running call={running} onCancel={() => pressed(onCancel)} />}
      {outcome !== null && (
        <ReadResourceContext value={onReadResource ?? null}>
          <Outcome key={outcome.call} {...{ outcome, onRestart }} onRetry={retry} />
        </ReadResourceContext>
      )}
      {outcome === null && running === null && (
        <p data-testid="result-empty" className="px-3 py-4 text-dim">No result yet. Press Enter in the form{keys === undefined ? "" : `, or ${keys} anywhere`}, to run the tool.</p>
      )}
    </section>
  );
}

interface OutcomeProps {
  readonly outcome: CallOutcome;
  readonly onRestart: (() => void) | undefined;
  readonly onRetry: ((timeoutMs: number) => void) | undefined;
}

function Outcome({ outcome, onRestart, onRetry }: OutcomeProps) {
  const { end, member, tool } = outcome;
  const face = faceOf(end);
  const raw = useMemo(() => rawOf(outcome), [outcome]);
  const weigh = useMemo(() => () => byteSteps(raw), [raw]);
  const size = useSteps(weigh, raw.length);
  return (
    <AnsweredFrame
      {...{ outcome, face, raw, size }}
      label="Result"
      tabs={{ shown: "Result", raw: "Raw" }}
      whole="whole result"
      fileName={`${member}-${tool}-result.json`}
      statusId="result-status"
    >
      {end.kind === "failed" ? (
        <Failure end={end} face={face} durationMs={outcome.durationMs} onRestart={onRestart} onRetry={onRetry} />
      ) : (
        <EditorBoundary fallback={<LongText text={raw} label="raw result" />}>
          <Contents outcome={outcome} text={end.result} face={face} />
        </EditorBoundary>
      )}
    </AnsweredFrame>
  );
}

interface ContentsProps {
  readonly outcome: CallOutcome;
  readonly text: string;
  readonly face: CallFace;
}

function Contents({ outcome, text, face }: ContentsProps) {
  const read = useTape(text);
  return (
    <>
      {face.name === "tool" && (
        <p className="shrink-0 rounded-md border border-warn bg-warn-fill px-2 py-1">
          <Sign of="warning" className="text-warn me-1" />
          The tool answered, and says that it failed (<code className="font-mono">isError</code>). The server and the connection are well.
        </p>
      )}
      {read === null ? (
        <>
          <p role="status" className="text-sm text-dim"><Sign of="dashes" className="text-warn me-1" />reading a large result; its beginning is below</p>
          <LongText text={text} label="raw result" />
        </>
      ) : "ok" in read ? (
        <ReadContents outcome={outcome} tape={read.ok} face={face} />
      ) : (
        <>
          <p className="text-warn"><Sign of="warning" className="me-1" />{read.problem.message}</p>
          <LongText text={text} label="raw result" />
        </>
      )}
    </>
  );
}

function ReadContents({ outcome, tape, face }: { outcome: CallOutcome; tape: Tape; face: CallFace }) {
  const result = useMemo(() => readResult(tape), [tape]);
  const { member, tool, structured: check } = outcome;
  const name = `${member}-${tool}`;
  return (
    <div className={`flex flex-col gap-2 ${face.frame === "border-line" ? "" : `border-s-2 ps-2 ${face.frame}`}`}>
      {result.problem !== null && <p className="text-warn"><Sign of="warning" className="me-1" />{result.problem}</p>}
      {result.parts.map((part, index) => (
        <PartView key={index} part={part} place={`${member}/${tool}#${index}`} fileName={index === 0 ? name : `${name}-${index + 1}`} />
      ))}
      {result.structured >= 0 ? (
        <Structured {...{ tape, check }} root={result.structured} place={`${member}/${tool}#structured`} fileName={`${name}-structured`} />
      ) : (
        check?.errors.map(({ message }) => (
          <p data-testid="schema-misfit" key={message} className="text-warn"><Sign of="warning" className="me-1" />does not fit the output schema: {message}</p>
        ))
      )}
      {result.parts.length === 0 && result.structured < 0 && result.problem === null && (
        <p data-testid="result-nothing" className="text-dim">The tool answered with nothing.</p>
      )}
      {result.problem !== null && result.parts.length === 0 && <LongText text={tape.source} label="raw result" />}
    </div>
  );
}
