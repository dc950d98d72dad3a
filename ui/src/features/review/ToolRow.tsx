/**
 * One tool compared with its approved version: the differences, warnings about suspicious text, and the uses that
 * the change breaks.
 */
import { useId, useState } from "react";

import type { BreakageKind, PartDifference, TextPiece, ToolReview } from "../../ipc/bindings";
import { Badge } from "../../components/Badge";
import { Button } from "../../components/Button";
import { Sign } from "../../components/Icon";
import { number } from "../../lib/format";
import { words as suspicionWords } from "../../lib/words/suspicions";
import { DIFFERENCE, EFFECT } from "./faces";

/** Labels for the kinds of uses that a change of a tool can break. */
const BREAKS: Record<BreakageKind, string> = {
  "saved-call": "Saved call",
  policy: "Permission",
  profile: "Profile",
};

interface Props {
  tool: ToolReview;
  /** Approves the tool; `null` if there is nothing to approve. */
  accept: (() => void) | null;
  unavailable: string | undefined;
}

/** The number of characters shown at first. */
const SHOWN_FIRST = 8_000;

export function ToolRow({ tool, accept, unavailable }: Props) {
  const { name, difference, suspicions, breaks } = tool;
  const body = useId();
  const [open, setOpen] = useState(difference === "changed" || suspicions.length > 0);
  const { shape, colour, word } = DIFFERENCE[difference];
  return (
    <li data-testid="review-tool" className="rounded-md border border-line bg-raised px-3 py-2">
      <div className="flex flex-wrap items-center gap-x-2">
        <button
          type="button"
          aria-expanded={open}
          aria-controls={body}
          className="flex min-w-0 flex-1 flex-wrap items-center gap-x-2 gap-y-1 rounded-sm text-start hover:text-accent"
          onClick={() => setOpen(!open)}
        >
          <Sign of={open ? "chevronDown" : "chevronRight"} className="text-faint" />
          <code className="font-mono break-all">{name}</code>
          <Badge tone={colour === "text-warn" ? "warn" : "plain"} icon={shape}>{word}</Badge>
          {suspicions.length > 0 && <Badge tone="bad" icon="warning">Suspicious</Badge>}
          {breaks.length > 0 && <Badge tone="warn" icon="warning">Breaks {number(breaks.length)}</Badge>}
        </button>
        {accept && <Button unavailable={unavailable} onClick={accept} aria-label={`Approve ${name}`}>Approve</Button>}
      </div>
      <div id={body} hidden={!open} className="mt-2 flex flex-col gap-2 ps-6">
        {open && <Body tool={tool} />}
      </div>
    </li>
  );
}

/**
 * The details of a tool. They are rendered only while the row is expanded, because a list may have a thousand tools.
 */
function Body({ tool: { name, difference, parts, suspicions, breaks } }: { tool: ToolReview }) {
  const isEmpty = parts.length + suspicions.length + breaks.length === 0;
  return (
    <>
      {suspicions.length > 0 && (
        <ul aria-label={`Warnings about ${name}`}>
          {suspicions.map(({ place, kind, what, quote }, index) => (
            <li key={index} className="break-words">
              <Sign of="warning" className="text-bad me-1" />
              {suspicionWords[kind]}: {what} <code className="font-mono text-sm text-dim">{place}</code>
              {quote !== "" && <q className="mt-0.5 block rounded-sm bg-sidebar px-2 py-0.5 font-mono text-sm wrap-anywhere select-text">{quote}</q>}
            </li>
          ))}
        </ul>
      )}
      {breaks.length > 0 && (
        <ul aria-label={`Problems of ${name}`}>
          {breaks.map(({ kind, name: broken, what }, index) => (
            <li key={index} className="break-words">
              <Sign of="warning" className="text-warn me-1" />
              {BREAKS[kind]} <code className="font-mono">{broken}</code>: {what}
            </li>
          ))}
        </ul>
      )}
      {parts.map((part) => <Part key={part.part} part={part} />)}
      {isEmpty && <p className="text-dim">{difference === "gone" ? "Removed by the server" : "Nothing more to show"}</p>}
    </>
  );
}

function Part({ part: { part, text, schema } }: { part: PartDifference }) {
  const [all, setAll] = useState(false);
  const shown = all ? text : firstOf(text, SHOWN_FIRST);
  return (
    <div role="group" aria-label={part}>
      <p aria-hidden className="text-sm text-dim">{part}</p>
      {schema.length > 0 && (
        <ul aria-label="Effects">
          {schema.map(({ pointer, effect, what }, index) => (
            <li key={index} className="break-words">
              <Sign of={EFFECT[effect].shape} className={`me-1 ${EFFECT[effect].colour}`} />{EFFECT[effect].word}: {what} <code className="font-mono text-sm text-dim">{pointer}</code>
            </li>
          ))}
        </ul>
      )}
      <p className="rounded-sm bg-sidebar px-2 py-1 font-mono text-sm whitespace-pre-wrap wrap-anywhere select-text">
        {shown.map(({ side, text: piece }, index) =>
          side === "both" ? (
            <span key={index}>{piece}</span>
          ) : side === "old" ? (
            <del key={index} className="bg-bad-fill">{piece}</del>
          ) : (
            <ins key={index} className="bg-selected">{piece}</ins>
          ),
        )}
      </p>
      {shown !== text && <Button look="quiet" onClick={() => setAll(true)}>Show all</Button>}
    </div>
  );
}

/** The first pieces of a text, cut after `most` characters. */
function firstOf(pieces: readonly TextPiece[], most: number): readonly TextPiece[] {
  let left = most;
  const first: TextPiece[] = [];
  for (const piece of pieces) {
    if (piece.text.length > left) return [...first, { ...piece, text: piece.text.slice(0, left) }];
    first.push(piece);
    left -= piece.text.length;
  }
  return pieces;
}
