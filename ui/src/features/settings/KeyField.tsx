/** A field for a keyboard shortcut. Its button records the next pressed keys as the new shortcut. */
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
  /** The current keys; `null` if the action has no shortcut. */
  readonly keys: string | null;
  /** A second default shortcut of the same action, which a new shortcut replaces too. */
  readonly also?: string | undefined;
  /** Whether the shortcut also works while another program has the focus. */
  readonly everywhere?: boolean;
  /** Called with the new keys, or with `null` to remove the shortcut. */
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
    // The pressed keys are recorded. They must not trigger their usual action.
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
            // WebKit on macOS does not focus a clicked button, so the button is focused here.
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
