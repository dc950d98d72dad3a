/** Keys of one thing: which they are, and a button that takes others by having them pressed. */
import { useRef, useState, type KeyboardEvent } from "react";

import { Button } from "../parts/Button";
import { useGoing } from "../parts/useGoing";
import { keyLabel } from "../words/keys";
import { pressed } from "./press";

interface Props {
  readonly id: string;
  readonly "aria-describedby"?: string;
  readonly title: string;
  /** The keys it has now. */
  readonly keys: string | null;
  /** A second key for the same, which other keys take the place of too. */
  readonly also?: string | undefined;
  /** Whether they count in other programs too. */
  readonly everywhere?: boolean;
  /** `null` where there are to be none. */
  readonly onKeys: (keys: string | null) => void;
}

export function KeyField({ id, title, keys, also, everywhere = false, onKeys, ...described }: Props) {
  const [waiting, setWaiting] = useState(false);
  const [taken, setTaken] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const removes = useGoing(keys !== null, () => button.current);
  const stop = () => {
    setWaiting(false);
    setTaken(false);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!waiting || event.key === "Tab") return;
    // It is the keys that are wanted, and not what they do.
    event.preventDefault();
    event.stopPropagation();
    if (event.key === "Escape") {
      stop();
      return;
    }
    const now = pressed(event.nativeEvent, everywhere);
    if (now.kind === "holding") return;
    setTaken(now.kind === "taken");
    if (now.kind === "taken") return;
    stop();
    onKeys(now.keys);
  };
  return (
    <span className="flex flex-col items-end gap-1">
      <span className="flex items-center gap-2">
        {keys === null && !waiting && <span className="text-sm text-faint">no keys</span>}
        {!waiting &&
          [keys, also].map((one) =>
            one === null || one === undefined ? null : (
              <kbd key={one} className="rounded-sm border border-line-strong bg-surface px-1 font-sans text-sm">{keyLabel(one)}</kbd>
            ),
          )}
        <Button
          ref={button}
          id={id}
          {...described}
          aria-label={waiting ? `Press the keys for ${title}; Esc leaves them as they are` : `Change the keys of ${title}`}
          aria-pressed={waiting}
          onClick={() => {
            setWaiting(true);
            // WebKit on macOS gives a button no focus by a click.
            button.current?.focus();
          }}
          onBlur={stop}
          onKeyDown={onKeyDown}
        >
          {waiting ? "Press keys…" : "Change"}
        </Button>
        {keys !== null && !waiting && (
          <Button
            look="quiet"
            aria-label={`Take the keys of ${title} away`}
            onClick={() => {
              removes();
              onKeys(null);
            }}
          >
            Take away
          </Button>
        )}
      </span>
      {waiting && <span role="status" className="max-w-xs text-end text-sm text-dim">{taken ? "These keys mean something everywhere. Hold Ctrl or Alt as well, or take an F key." : "A single character is taken only while nobody types."}</span>}
    </span>
  );
}
