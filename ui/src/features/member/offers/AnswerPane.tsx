/** The response to a request: the contents of a resource, or the messages of a prompt with their roles. */
import { type ReactNode, useMemo } from "react";

import type { Answered, CallOutcome } from "../../../ipc/bindings";
import { EditorBoundary } from "../../form/view/EditorBoundary";
import { CopyButton } from "../../../components/CopyButton";
import { EmptyState } from "../../../components/EmptyState";
import { Sign } from "../../../components/Icon";
import type { SignName } from "../../../components/signs";
import { AnsweredFrame } from "../../results/AnsweredFrame";
import { CodeView } from "../../results/code/CodeView";
import { contentsAt, partAt, PARTS_MAX } from "../../results/content";
import { faceOf } from "../../results/face";
import { Failure } from "../../results/Failure";
import { childAt, childrenOf, countOf, kindOf, type Tape, textAt } from "../../results/json/tape";
import { useTape } from "../../results/json/useSteps";
import { PartView, ReadResourceContext } from "../../results/Parts";
import { rawOf } from "../../results/RawPane";
import { Running } from "../../results/Running";
import { number } from "../../../lib/format";
import type { OfferRequest, Reading } from "./offerStore";
import { messagesText } from "./messages";

interface Props {
  readonly reading: Reading | null;
  /** Text shown before the first read. */
  readonly empty: string;
  readonly onCancel: () => void;
  readonly onRestart: () => void;
  readonly onRetry: (timeoutMs: number) => void;
  readonly onReadResource: (uri: string) => void;
}

export function AnswerPane({ reading, empty, onCancel, onRestart, onRetry, onReadResource }: Props) {
  return (
    <section aria-label="Answer" className="flex min-h-0 flex-1 flex-col">
      {reading === null && <div data-testid="answer-empty"><EmptyState icon="play" title={empty} /></div>}
      {reading && !reading.answered && <Running call={reading} onCancel={onCancel} />}
      {reading?.answered && (
        <ReadResourceContext value={onReadResource}>
          <Shown key={reading.call} asked={reading.asked} answered={reading.answered} {...{ onRestart, onRetry }} />
        </ReadResourceContext>
      )}
    </section>
  );
}

interface ShownProps {
  readonly asked: OfferRequest;
  readonly answered: Answered;
  readonly onRestart: () => void;
  readonly onRetry: (timeoutMs: number) => void;
}

function Shown({ asked, answered, onRestart, onRetry }: ShownProps) {
  const { end, member } = answered;
  const face = faceOf(end);
  const name = asked.kind === "prompt" ? asked.prompt : "resource";
  const outcome = useMemo<CallOutcome>(() => ({ ...answered, tool: name, structured: null }), [answered, name]);
  const raw = useMemo(() => rawOf(outcome), [outcome]);
  const size = useMemo(() => new TextEncoder().encode(raw).length, [raw]);
  return (
    <AnsweredFrame
      {...{ outcome, face, raw, size }}
      label="Answer"
      tabs={{ shown: "Answer", raw: "Raw" }}
      whole="whole answer"
      fileName={`${member}-${name}-answer.json`}
      statusId="answer-status"
    >
      {end.kind === "failed" ? (
        <Failure end={end} face={face} durationMs={answered.durationMs} onRestart={onRestart} onRetry={onRetry} />
      ) : (
        <EditorBoundary fallback={<CodeView text={raw} label="raw answer" />}>
          <Read asked={asked} text={end.result} place={`${member}/${asked.kind}`} fileName={`${member}-${name}`} />
        </EditorBoundary>
      )}
    </AnsweredFrame>
  );
}

interface ReadProps {
  readonly asked: OfferRequest;
  readonly text: string;
  readonly place: string;
  readonly fileName: string;
}

function Read({ asked, text, place, fileName }: ReadProps) {
  const read = useTape(text);
  if (read === null) {
    return (
      <>
        <p role="status" className="text-sm text-dim">
          <Sign of="dashes" className="text-warn me-1" />Reading a large answer. Its beginning is below.
        </p>
        <CodeView text={text} label="raw answer" />
      </>
    );
  }
  if (!("ok" in read)) return <Unread why={read.problem.message} text={text} />;
  return asked.kind === "prompt" ? (
    <Messages tape={read.ok} place={place} fileName={fileName} />
  ) : (
    <Contents tape={read.ok} uri={asked.uri} place={place} fileName={fileName} />
  );
}

function Unread({ why, text }: { why: string; text: string }) {
  return (
    <>
      <p className="text-warn"><Sign of="warning" className="me-1" />{why}</p>
      <CodeView text={text} label="raw answer" />
    </>
  );
}

/**
 * The first `PARTS_MAX` items of an array in the response and the number of other items; `null` if there is no such
 * array.
 */
function itemsOf(tape: Tape, key: string): { nodes: readonly number[]; left: number } | null {
  const list = childAt(tape, 0, key);
  if (list < 0 || kindOf(tape, list) !== "array") return null;
  const nodes: number[] = [];
  for (const node of childrenOf(tape, list)) {
    if (nodes.length === PARTS_MAX) break;
    nodes.push(node);
  }
  return { nodes, left: countOf(tape, list) - nodes.length };
}

interface ListProps {
  readonly tape: Tape;
  readonly place: string;
  readonly fileName: string;
}

function Contents({ tape, uri, place, fileName }: ListProps & { uri: string }) {
  const items = useMemo(() => itemsOf(tape, "contents"), [tape]);
  if (!items) return <Unread why="The answer has no list of contents." text={tape.source} />;
  if (items.nodes.length === 0) return <p className="text-dim">The resource is empty.</p>;
  return (
    <Several left={items.left}>
      {items.nodes.map((node, index) => (
        <PartView
          key={node}
          part={contentsAt(tape, node)}
          place={`${place} ${uri}#${index}`}
          fileName={index === 0 ? fileName : `${fileName}-${index + 1}`}
        />
      ))}
    </Several>
  );
}

function Messages({ tape, place, fileName }: ListProps) {
  const items = useMemo(() => itemsOf(tape, "messages"), [tape]);
  const description = textAt(tape, 0, "description");
  if (!items) return <Unread why="The answer has no list of messages." text={tape.source} />;
  return (
    <>
      <div className="flex flex-wrap items-center gap-1">
        <p className="min-w-0 flex-1 basis-40 break-words text-dim" dir="auto">{description ?? ""}</p>
        <CopyButton text={() => messagesText(tape)} what="as text" shown="Copy as text" />
        <CopyButton text={() => tape.source} what="as JSON" shown="Copy as JSON" />
      </div>
      {items.nodes.length === 0 && <p className="text-dim">The prompt has no messages.</p>}
      <Several left={items.left}>
        {items.nodes.map((node, index) => (
          <Message key={node} {...{ tape, node }} place={`${place}#${index}`} fileName={`${fileName}-${index + 1}`} />
        ))}
      </Several>
    </>
  );
}

const ROLES: Readonly<Record<string, { shape: SignName; colour: string }>> = {
  user: { shape: "user", colour: "border-accent" },
  assistant: { shape: "bot", colour: "border-ok" },
};

function Message({ tape, node, place, fileName }: ListProps & { node: number }) {
  const role = textAt(tape, node, "role") ?? "without a role";
  const { shape, colour } = ROLES[role] ?? ({ shape: "warning", colour: "border-warn" } as const);
  const content = childAt(tape, node, "content");
  // By the protocol, a message has one content block. Some servers send an array of blocks.
  const parts = content < 0 ? [] : kindOf(tape, content) === "array" ? [...childrenOf(tape, content)] : [content];
  return (
    <div role="group" aria-label={`Message of ${role}`} className={`border-s-2 ps-2 ${colour}`}>
      <h3 className="text-sm font-semibold break-words text-dim">
        <Sign of={shape} className="me-1" />
        {role}
      </h3>
      {parts.length === 0 && <p className="text-warn"><Sign of="warning" className="me-1" />No content</p>}
      {parts.slice(0, PARTS_MAX).map((part, index) => (
        <PartView key={part} part={partAt(tape, part)} place={`${place}.${index}`} fileName={fileName} />
      ))}
    </div>
  );
}

function Several({ left, children }: { left: number; children: ReactNode }) {
  return (
    <div className="flex flex-col gap-2">
      {children}
      {left > 0 && <p className="text-warn"><Sign of="warning" className="me-1" />{number(left)} more are not shown here; Raw has them all.</p>}
    </div>
  );
}
