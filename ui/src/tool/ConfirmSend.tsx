/**
 * Asks once more before a destructive tool is run, and shows what would be sent. The key that ran
 * the form does not reach through it: Enter does nothing until the focus is on one of the buttons.
 */
import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";

import { PART_KEYS } from "../app/actionKeys";
import type { ArgumentCheck, MemberName, ToolName } from "../bridge/bindings";
import { Button } from "../parts/Button";
import { TextPart } from "../results/text/TextPart";
import { keyLabel } from "../words/keys";

/** What waits to be sent. */
export interface Asked {
  readonly text: string;
  readonly check: ArgumentCheck;
  readonly timeoutMs: number | null;
}

interface Props {
  readonly member: MemberName;
  readonly tool: ToolName;
  readonly asked: Asked;
  /** Sends it; `always` when the tool is not to ask again in this window. */
  readonly onSend: (always: boolean) => void;
  readonly onLeave: () => void;
}

export function ConfirmSend({ member, tool, asked, onSend, onLeave }: Props) {
  const id = useId();
  const [always, setAlways] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    const shown = box.current;
    shown?.focus();
    return () => {
      // Whoever went on elsewhere, such as to another field, stays there.
      const { activeElement } = document;
      const lost = activeElement === null || activeElement === document.body || shown?.contains(activeElement);
      if (lost && before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape") {
      event.preventDefault();
      event.stopPropagation();
      onLeave();
    } else if (event.key === "Enter" && (event.repeat || event.ctrlKey || event.metaKey || event.target === box.current)) {
      // A second press of what ran the form, or a key that is still held.
      event.preventDefault();
      event.stopPropagation();
    }
  };
  return (
    // The box hears Escape for the buttons inside; it is no control itself.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <div
      ref={box}
      role="alertdialog"
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-what`}
      tabIndex={-1}
      onKeyDown={onKeyDown}
      className="m-2 flex max-h-[70%] shrink-0 flex-col gap-2 overflow-y-auto rounded-md border-2 border-bad bg-bad-fill p-3"
    >
      <h3 id={`${id}-title`} className="font-semibold break-words">
        <span aria-hidden className="text-bad">! </span>
        Run {tool} of {member}?
      </h3>
      <p data-testid="confirm-what" id={`${id}-what`}>
        {asked.check === "send-anyway" ? "The server says that this tool may destroy something. Exactly this is sent, without a check against the tool's schema:" : "The server says that this tool may destroy something. Exactly this is sent:"}
      </p>
      <TextPart text={asked.text} label="what is sent" place="what is sent" fileName="arguments" />
      <label className="flex items-center gap-2">
        <input type="checkbox" checked={always} onChange={(event) => setAlways(event.target.checked)} />
        <span>Do not ask again for this tool in this window</span>
      </label>
      <div className="flex flex-wrap items-center gap-2">
        <Button className="border-bad" onClick={() => onSend(always)}>Send it</Button>
        <Button onClick={onLeave} title={keyLabel(PART_KEYS.leave)}>Do not send</Button>
        <span className="text-sm text-dim">Tab to a button, then Enter; Esc goes back.</span>
      </div>
    </div>
  );
}
