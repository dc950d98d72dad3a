/** Text that a server sent, as text. Long text is folded; JSON is written over several lines. */

import { useMemo, useState } from "react";

import { prettyJson } from "./content";
import { CopyButton } from "../parts/CopyButton";
import { Button } from "../parts/Button";

const FOLDED_CHARACTERS = 4_000;
const FOLDED_LINES = 60;
/** Even when asked for, no more than this at a time is put on the page. */
const STEP = 500_000;

/** The first part of a text that is put on the page while it is folded. */
function folded(text: string): string {
  let end = -1;
  for (let line = 0; line < FOLDED_LINES; line += 1) {
    end = text.indexOf("\n", end + 1);
    if (end < 0) break;
  }
  return text.slice(0, Math.min(FOLDED_CHARACTERS, end < 0 ? text.length : end));
}

export function LongText({ text, label }: { text: string; label: string }) {
  const [limit, setLimit] = useState(0);
  const shown = limit === 0 ? folded(text) : text.slice(0, limit);
  const left = text.length - shown.length;
  return (
    <>
      {/* A region that scrolls has to be reached by the keyboard. */}
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <pre tabIndex={0} aria-label={label} className="overflow-x-auto font-mono text-sm whitespace-pre-wrap [overflow-wrap:anywhere]">
        {shown}
      </pre>
      {left > 0 && (
        <Button onClick={() => setLimit(limit + STEP)}>
          {left <= STEP ? "Show all" : "Show more"} ({left.toLocaleString("en")} more characters)
        </Button>
      )}
      {limit > 0 && <Button look="quiet" onClick={() => setLimit(0)}>Fold</Button>}
    </>
  );
}

/** A text part, with its JSON spread out where it is JSON. */
export function TextPart({ text, label = "text" }: { text: string; label?: string }) {
  const pretty = useMemo(() => prettyJson(text), [text]);
  const [spread, setSpread] = useState(true);
  const shown = pretty !== null && spread ? pretty : text;
  return (
    <section aria-label={label} className="rounded-md border border-line">
      <header className="flex items-center gap-1 border-b border-line px-2 text-sm text-dim">
        <span className="grow">{pretty === null ? label : `${label} · JSON`}</span>
        {pretty !== null && (
          <Button look="quiet" aria-pressed={spread} onClick={() => setSpread(!spread)}>
            {spread ? "As sent" : "Spread out"}
          </Button>
        )}
        <CopyButton text={() => shown} what={label} />
      </header>
      <div className="px-2 py-1">
        {text === "" ? <span className="text-faint">empty text</span> : <LongText text={shown} label={label} />}
      </div>
    </section>
  );
}
