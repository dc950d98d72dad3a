/** The one thing to do with an offer, by its button and its keys. */
import { type KeyboardEvent, type ReactNode, useEffect, useImperativeHandle, useRef } from "react";

import { useKeysOf } from "../../../lib/keys/useKeysOf";
import { Button } from "../../../components/Button";
import { Sign } from "../../../components/Icon";
import { type ToolFormHandle, usePageForm } from "../../../lib/pageForm";

interface Props {
  /** What the button says. */
  readonly verb: string;
  /** Why it can't be done now. */
  readonly unavailable: string | undefined;
  readonly onRun: () => void;
  /** The same without a check of what was filled in. */
  readonly onAnyway: () => void;
  /** Switches between fields for the variables and one field for the whole address. */
  readonly onOther?: () => void;
  /** Shown beside the button. */
  readonly more?: ReactNode;
  readonly children: ReactNode;
}

/** What an offer takes, with its button on top; the keys of a tool's form do the same here. */
export function ReadBar({ verb, unavailable, onRun, onAnyway, onOther, more, children }: Props) {
  const pageForm = usePageForm();
  const keys = useKeysOf("run");
  const handle = useRef<ToolFormHandle>(null);
  const can = unavailable === undefined;
  useImperativeHandle(handle, () => ({
    run: () => can && onRun(),
    sendAnyway: () => can && onAnyway(),
    toggleJson: () => onOther?.(),
    // Its fields keep nothing back.
    commit: () => undefined,
  }));
  useEffect(() => pageForm.register(handle), [pageForm]);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || event.defaultPrevented || event.nativeEvent.isComposing) return;
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    // A held key sends one request; without this, each key repeat would press the button again.
    if (event.repeat && event.target instanceof HTMLButtonElement) event.preventDefault();
    if (!(event.target instanceof HTMLInputElement)) return;
    event.preventDefault();
    if (can && !event.repeat) onRun();
  };
  return (
    // The key works from every field inside; the fields themselves are the interactive parts.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div className="flex flex-col" onKeyDown={onKeyDown}>
      <div className="flex flex-wrap items-center justify-end gap-2 border-b border-line px-4 py-1">
        {more}
        <Button look="accent" data-testid="read" title={keys} unavailable={unavailable} onClick={onRun}>
          <Sign of="play" className="me-1" />{verb}
        </Button>
      </div>
      <div className="px-4 py-2">{children}</div>
    </div>
  );
}
