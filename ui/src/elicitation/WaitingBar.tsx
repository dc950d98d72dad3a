/** Shows on every page that something waits for a person, and links there. It never takes the focus. */
import type { ReactNode } from "react";

import { Button } from "../parts/Button";
import { Sign } from "../parts/Icon";
import { isFocusNowhere } from "../parts/focus";
import type { SignName } from "../parts/signs";
import { TimeLeft } from "./TimeLeft";

/** How one kind of it looks, and what it is called. */
export interface Kind {
  readonly shape: SignName;
  readonly colour: string;
  /** The line's border and ground. */
  readonly line: string;
  /** The status bar's button, which is drawn elsewhere. */
  readonly countId: string;
  readonly title: string;
  readonly andMore: (count: number) => string;
  /** What leads there. */
  readonly lead: string;
  readonly later: string;
  readonly putAway: string;
}

interface Waiting {
  readonly id: string;
  readonly expiresAtMs: number;
}

interface Props<One extends Waiting> {
  readonly kind: Kind;
  /** Those that are neither on the screen nor put off, the oldest first. */
  readonly waiting: readonly One[];
  readonly keys: string | undefined;
  readonly says: (one: One) => ReactNode;
  readonly onLead: (one: One) => void;
  readonly onPutOff: (one: One) => void;
}

/** A line above the status bar, for the oldest. */
export function WaitingBar<One extends Waiting>({ kind, waiting, keys, says, onLead, onPutOff }: Props<One>) {
  const [next] = waiting;
  if (next === undefined) return null;
  const putOff = () => {
    onPutOff(next);
    // The line takes its button along; the status bar is where what waits stays.
    requestAnimationFrame(() => {
      if (isFocusNowhere()) document.getElementById(kind.countId)?.focus();
    });
  };
  return (
    <section
      aria-label={kind.title}
      data-notice
      className={`flex min-h-9 shrink-0 flex-wrap items-center gap-x-2 border-t px-3 scant:px-2 ${kind.line}`}
    >
      <p data-testid="waiting-text" className="min-w-0 flex-[1_1_240px] truncate">
        <Sign of={kind.shape} className={`me-1 ${kind.colour}`} />
        {says(next)}
      </p>
      {waiting.length > 1 && <span className="text-sm whitespace-nowrap text-dim scant:sr-only">{kind.andMore(waiting.length - 1)}</span>}
      <span className="scant:sr-only"><TimeLeft untilMs={next.expiresAtMs} /></span>
      <Button look="accent" title={keys} onClick={() => onLead(next)}>
        {kind.lead}
      </Button>
      <Button look="quiet" title={kind.putAway} onClick={putOff}>
        {kind.later}
      </Button>
    </section>
  );
}

/** How many wait; for the status bar. */
export function WaitingCount({ kind, title, text, onLead }: { kind: Kind; title: string; text: string; onLead: () => void }) {
  return (
    <button type="button" id={kind.countId} className={`rounded-sm px-1 hover:bg-hover ${kind.colour}`} title={title} onClick={onLead}>
      <Sign of={kind.shape} className="me-1" />{text}
    </button>
  );
}
