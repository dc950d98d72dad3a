/**
 * The result of a call, with the same header for every outcome. Content from a server is shown as text, or as an
 * image or audio of a safe type. It is never rendered as HTML, and no address in it is fetched.
 */

import { type ReactNode, useEffect, useMemo, useRef } from "react";

import type { CallOutcome } from "../../ipc/bindings";
import { EditorBoundary } from "../form/view/EditorBoundary";
import { Icon, Sign } from "../../components/Icon";
import { KeyMark } from "../../components/KeyMark";
import { SIGNS } from "../../components/signs";
import { isFocusNowhere } from "../../lib/focus";
import { AnsweredFrame, type AppTab } from "./AnsweredFrame";
import { CodeView } from "./code/CodeView";
import { byteSteps, readResult } from "./content";
import { repeats } from "./duplicates";
import { type CallFace, faceOf } from "./face";
import { Failure } from "./Failure";
import { JsonCard } from "./JsonCard";
import type { Tape } from "./json/tape";
import { useSteps, useTape } from "./json/useSteps";
import { PartView, ReadResourceContext } from "./Parts";
import { rawOf } from "./RawPane";
import { Running, type RunningCall } from "./Running";

export type { RunningCall } from "./Running";

interface ResultPaneProps {
  readonly outcome: CallOutcome | null;
  readonly running: RunningCall | null;
  readonly onCancel: () => void;
  /** Restarts the member. Offered after a failure of its connection or process. */
  readonly onRestart?: () => void;
  /** Repeats the call with the same arguments and a longer time limit, in milliseconds. */
  readonly onRetry?: (timeoutMs: number) => void;
  /** Reads a resource that the result links to. Without this function, links have no button for that. */
  readonly onReadResource?: (uri: string) => void;
  /** A control in the header that selects another call. */
  readonly picker?: ReactNode;
  /** The tab with the tool's app, if it has one. */
  readonly app?: AppTab | undefined;
}

export function ResultPane({ outcome, running, onCancel, onRestart, onRetry, onReadResource, picker, app }: ResultPaneProps) {
  const pane = useRef<HTMLElement>(null);
  // The Cancel and Retry buttons disappear when they are pressed. The focus then moves to the result pane.
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
      {running !== null && <Running call={running} onCancel={() => pressed(onCancel)} picker={picker} />}
      {outcome !== null && (
        <ReadResourceContext value={onReadResource ?? null}>
          <Outcome key={outcome.call} {...{ outcome, onRestart, picker, app }} onRetry={retry} />
        </ReadResourceContext>
      )}
      {outcome === null && running === null && (
        <div data-testid="result-empty" className="flex flex-1 flex-col items-center justify-center gap-2 p-4 text-center text-dim">
          <Icon of={SIGNS.play} size={28} className="text-faint" />
          <p>Run the tool to see its result</p>
          <KeyMark of="run" className="rounded-sm border border-line bg-sidebar px-1.5 text-sm" />
        </div>
      )}
    </section>
  );
}

interface OutcomeProps {
  readonly outcome: CallOutcome;
  readonly onRestart: (() => void) | undefined;
  readonly onRetry: ((timeoutMs: number) => void) | undefined;
  readonly picker: ReactNode;
  readonly app: AppTab | undefined;
}

function Outcome({ outcome, onRestart, onRetry, picker, app }: OutcomeProps) {
  const { end, member, tool } = outcome;
  const face = faceOf(end);
  const raw = useMemo(() => rawOf(outcome), [outcome]);
  const weigh = useMemo(() => () => byteSteps(raw), [raw]);
  const size = useSteps(weigh, raw.length);
  return (
    <AnsweredFrame
      {...{ outcome, face, raw, size, picker }}
      label="Result"
      tabs={{ shown: "Result", raw: "Raw" }}
      whole="whole result"
      fileName={`${member}-${tool}-result.json`}
      app={end.kind === "result" ? app : undefined}
      statusId="result-status"
    >
      {end.kind === "failed" ? (
        <Failure end={end} face={face} durationMs={outcome.durationMs} onRestart={onRestart} onRetry={onRetry} />
      ) : (
        <EditorBoundary fallback={<CodeView text={raw} label="raw result" />}>
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
        <p className="shrink-0 rounded-md border border-warn bg-warn-fill px-3 py-1.5">
          <Sign of="warning" className="text-warn me-1" />
          The tool returned an error. The server is fine.
        </p>
      )}
      {read === null ? (
        <>
          <p role="status" className="text-sm text-dim"><Sign of="dashes" className="text-warn me-1" />Reading a large result…</p>
          <CodeView text={text} label="raw result" />
        </>
      ) : "ok" in read ? (
        <ReadContents outcome={outcome} tape={read.ok} />
      ) : (
        <>
          <p className="text-warn"><Sign of="warning" className="me-1" />{read.problem.message}</p>
          <CodeView text={text} label="raw result" />
        </>
      )}
    </>
  );
}

function ReadContents({ outcome, tape }: { outcome: CallOutcome; tape: Tape }) {
  const { parts, structured, problem } = useMemo(() => readResult(tape), [tape]);
  const same = useMemo(() => parts.map((part) => (structured < 0 ? null : repeats(part, tape, structured))), [parts, structured, tape]);
  const { member, tool, structured: check } = outcome;
  const name = `${member}-${tool}`;
  const isRepeated = same.includes("string");
  const collapsed = isRepeated && (check?.errors.length ?? 0) === 0 ? "Same as text" : undefined;
  const structuredCard = structured >= 0 && (
    <JsonCard {...{ tape, check }} root={structured} title="Structured" label="structured content" place={`${member}/${tool}#structured`} fileName={`${name}-structured`} collapsed={collapsed} />
  );
  return (
    <div className="flex flex-col gap-3">
      {problem !== null && <p className="text-warn"><Sign of="warning" className="me-1" />{problem}</p>}
      {!isRepeated && structuredCard}
      {parts.map((part, index) =>
        same[index] === "json" ? null : (
          <PartView key={index} part={part} place={`${member}/${tool}#${index}`} fileName={index === 0 ? name : `${name}-${index + 1}`} />
        ),
      )}
      {isRepeated && structuredCard}
      {structured < 0 && check?.errors.map(({ message }) => (
        <p data-testid="schema-misfit" key={message} className="text-warn"><Sign of="warning" className="me-1" />Schema error: {message}</p>
      ))}
      {parts.length === 0 && structured < 0 && problem === null && <p data-testid="result-nothing" className="text-dim">Empty result</p>}
      {problem !== null && parts.length === 0 && <CodeView text={tape.source} label="raw result" />}
    </div>
  );
}
