/** The notice and the status bar count for pending questions or approvals. Neither takes the focus by itself. */
import type { ReactNode } from "react";

import { Button } from "../../components/Button";
import { Sign } from "../../components/Icon";
import { IconButton } from "../../components/IconButton";
import { isFocusNowhere } from "../../lib/focus";
import { number } from "../../lib/format";
import type { SignName } from "../../components/signs";
import { Tooltip } from "../../components/Tooltip";
import { TimeLeft } from "./TimeLeft";

/** The labels and styles of one kind of notice. */
export interface Kind {
  readonly shape: SignName;
  readonly colour: string;
  /** Tailwind classes for the border and the background. */
  readonly line: string;
  /** The DOM id of the count in the status bar. */
  readonly countId: string;
  readonly title: string;
  /** The label of the button that opens the pending item. */
  readonly lead: string;
  readonly putAway: string;
}

interface Waiting {
  readonly id: string;
  readonly expiresAtMs: number;
}

interface Props<One extends Waiting> {
  readonly kind: Kind;
  /** The pending items that are not shown elsewhere and whose notice was not dismissed, oldest first. */
  readonly waiting: readonly One[];
  readonly keys: string | undefined;
  readonly says: (one: One) => ReactNode;
  readonly onLead: (one: One) => void;
  readonly onPutOff: (one: One) => void;
  /** Renders a button in front of the button that opens the item. */
  readonly before?: (one: One) => ReactNode;
}

/** A notice above the status bar about the oldest pending item. */
export function WaitingBar<One extends Waiting>({ kind, waiting, keys, says, onLead, onPutOff, before }: Props<One>) {
  const [next] = waiting;
  if (next === undefined) return null;
  const putOff = () => {
    onPutOff(next);
    // The notice is removed together with the pressed button. The focus moves to the count in the status bar, which
    // stays.
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
      {waiting.length > 1 && <span className="text-sm whitespace-nowrap text-dim scant:sr-only">and {number(waiting.length - 1)} more</span>}
      <span className="scant:sr-only"><TimeLeft untilMs={next.expiresAtMs} /></span>
      <span className="ms-auto inline-flex items-center gap-2">
        {before?.(next)}
        <Button look="accent" title={keys} onClick={() => onLead(next)}>
          {kind.lead}
        </Button>
        <IconButton icon="close" label="Hide notice" title={kind.putAway} onClick={putOff} />
      </span>
    </section>
  );
}

/** The number of pending items, in the status bar. */
export function WaitingCount({ kind, title, text, onLead }: { kind: Kind; title: string; text: string; onLead: () => void }) {
  return (
    <Tooltip text={title} side="top">
      <button
        type="button"
        id={kind.countId}
        // oxlint-disable-next-line jsx-a11y/role-supports-aria-props -- part of ARIA 1.3, and all three browser engines support it
        aria-description={title}
        className={`rounded-sm px-1 hover:bg-hover ${kind.colour}`}
        onClick={onLead}
      >
        <Sign of={kind.shape} className="me-1" />{text}
      </button>
    </Tooltip>
  );
}
