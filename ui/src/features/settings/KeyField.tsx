/** A keyboard shortcut, and a button that takes the next keys pressed as the new one. */
import { useRef, useState, type KeyboardEvent } from "react";

import { Button } from "../../components/Button";
import { IconButton } from "../../components/IconButton";
import { useGoing } from "../../lib/useGoing";
import { keyLabel } from "../../lib/keys/keyLabel";
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
        {keys === null && !waiting && <span className="text-sm text-faint">None</span>}
        {!waiting &&
          [keys, also].map((one) =>
            one === null || one === undefined ? null : (
              <kbd key={one} className="rounded-sm border border-control bg-sidebar px-1 font-sans text-sm">{keyLabel(one)}</kbd>
            ),
          )}
        <Button
          ref={button}
          id={id}
          {...described}
          aria-label={waiting ? `Press the new keys for ${title}; Esc cancels` : `Change the shortcut for ${title}`}
          aria-pressed={waiting}
          onClick={() => {
            setWaiting(true);
            // WebKit on macOS gives a button no focus by a click.
            button.current?.focus();
          }}
          onBlur={stop}
          onKeyDown={onKeyDown}
        >
          {waiting ? "Press keys…" : "Change…"}
        </Button>
        {keys !== null && !waiting && (
          <IconButton
            icon="close"
            label={`Remove the shortcut for ${title}`}
            onClick={() => {
              removes();
              onKeys(null);
            }}
          />
        )}
      </span>
      {waiting && <span role="status" className="max-w-xs text-end text-sm text-dim">{taken ? "These keys are in use everywhere. Add Ctrl or Alt, or use a function key." : "A single character works only outside text fields."}</span>}
    </span>
  );
}
