/** The frame that the forms of resources, templates and prompts share: content, submit button and shortcuts. */
import { type KeyboardEvent, type ReactNode, useEffect, useImperativeHandle, useRef } from "react";

import { useKeysOf } from "../../../lib/keys/useKeysOf";
import { Button } from "../../../components/Button";
import { Sign } from "../../../components/Icon";
import { type ToolFormHandle, usePageForm } from "../../../lib/pageForm";

interface Props {
  /** The label of the submit button. */
  readonly verb: string;
  /** The reason why the form can't be submitted now; `undefined` if it can. */
  readonly unavailable: string | undefined;
  readonly onRun: () => void;
  /** Submits the form without validation. */
  readonly onAnyway: () => void;
  /** Switches between fields for the variables and one field for the whole URI. */
  readonly onOther?: () => void;
  /** Content beside the submit button. */
  readonly more?: ReactNode;
  readonly children: ReactNode;
}

/** The form of an offer, with the submit button at the bottom. The shortcuts of tool forms work here too. */
export function ReadBar({ verb, unavailable, onRun, onAnyway, onOther, more, children }: Props) {
  const pageForm = usePageForm();
  const keys = useKeysOf("run");
  const handle = useRef<ToolFormHandle>(null);
  const can = unavailable === undefined;
  useImperativeHandle(handle, () => ({
    run: () => can && onRun(),
    sendAnyway: () => can && onAnyway(),
    toggleJson: () => onOther?.(),
    // The fields store each edit immediately, so no edit is uncommitted.
    commit: () => undefined,
  }));
  useEffect(() => pageForm.register(handle), [pageForm]);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || event.defaultPrevented || event.nativeEvent.isComposing) return;
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    // A held key must send only one request, but the browser clicks the button on each key repeat.
    if (event.repeat && event.target instanceof HTMLButtonElement) event.preventDefault();
    if (!(event.target instanceof HTMLInputElement)) return;
    event.preventDefault();
    if (can && !event.repeat) onRun();
  };
  return (
    // Enter in any input of the form submits it. The container itself is not interactive.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div className="flex min-h-0 flex-1 flex-col" onKeyDown={onKeyDown}>
      <div className="min-h-0 flex-1 px-5 py-3 wide:overflow-y-auto">{children}</div>
      <div className="flex shrink-0 flex-wrap items-center gap-2 border-t border-line bg-sidebar px-5 py-2.5 max-wide:sticky max-wide:bottom-0 max-wide:z-2">
        <Button look="accent" data-testid="read" className="h-8! px-3.5! slim:h-auto! slim:min-h-8" title={keys} unavailable={unavailable} onClick={onRun}>
          <Sign of="play" />
          {verb}
          {keys !== undefined && <kbd aria-hidden className="ms-1 font-sans text-sm font-normal opacity-80">{keys}</kbd>}
        </Button>
        {more}
      </div>
    </div>
  );
}
