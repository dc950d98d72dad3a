/**
 * The confirmation dialog before a destructive tool runs, with the call's arguments. The key press that ran the form
 * can't also confirm the call: the focus is on Cancel, and a held Enter or Ctrl+Enter does nothing.
 */
import { AlertDialog } from "radix-ui";
import { type KeyboardEvent, useMemo, useState } from "react";

import { useAsking } from "../../lib/useAsking";
import type { ArgumentCheck, MemberName, ToolName } from "../../ipc/bindings";
import { Button } from "../../components/Button";
import { intoSight, isFocusNowhere } from "../../lib/focus";
import { CodeView } from "../results/code/CodeView";
import { formatted } from "../results/json/pretty";

/** The parameters of a call that waits for confirmation. */
export interface Asked {
  readonly text: string;
  readonly check: ArgumentCheck;
  readonly timeoutMs: number | null;
}

interface Props {
  readonly member: MemberName;
  readonly tool: ToolName;
  /** The tool's display name. */
  readonly title?: string | undefined;
  readonly asked: Asked;
  /** The program that requested the call; `undefined` if the user requested the call. */
  readonly by?: string;
  /** Makes the call. If `always` is true, the tool runs without confirmation until the window is closed. */
  readonly onSend: (always: boolean) => void;
  readonly onLeave: () => void;
}

/** Ignores held and repeated presses of the keys that ran the form, so that they don't press a button. */
function holdEnter(event: KeyboardEvent): void {
  if (event.key !== "Enter" || !(event.repeat || event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  event.stopPropagation();
}

export function ConfirmSend({ member, tool, title = tool, asked, by, onSend, onLeave }: Props) {
  const [always, setAlways] = useState(false);
  const [before] = useState(() => document.activeElement);
  useAsking(onLeave);
  const text = useMemo(() => formatted(asked.text), [asked.text]);
  return (
    <AlertDialog.Root open onOpenChange={(open) => !open && onLeave()}>
      <AlertDialog.Portal>
        <AlertDialog.Overlay className="fixed inset-0 z-40 bg-black/40" />
        <AlertDialog.Content
          onFocus={intoSight}
          onKeyDownCapture={holdEnter}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            if (isFocusNowhere() && before instanceof HTMLElement && before.isConnected) before.focus();
          }}
          className="fixed top-[15vh] scant:top-0 left-1/2 z-50 flex max-h-[80vh] scant:max-h-screen w-[min(520px,calc(100vw-24px))] -translate-x-1/2 flex-col gap-3 overflow-y-auto rounded-lg bg-raised p-5 shadow-(--shadow)"
        >
          <AlertDialog.Title className="text-lg font-semibold break-words">Run <bdi>{title}</bdi>?</AlertDialog.Title>
          <AlertDialog.Description data-testid="confirm-what" className="break-words text-dim">
            {by !== undefined && `Requested by ${by}. `}
            {asked.check === "send-anyway" ? "This tool may delete or overwrite data. Its arguments weren't checked. It runs with:" : "This tool may delete or overwrite data. It runs with:"}
          </AlertDialog.Description>
          <div className="max-h-60 shrink-0 overflow-y-auto rounded-md border border-line bg-sidebar px-3 py-2">
            <CodeView text={text} label={`Arguments of ${tool} on ${member}`} />
          </div>
          <label className="flex items-center gap-2">
            <input type="checkbox" checked={always} onChange={(event) => setAlways(event.target.checked)} />
            <span>Don't ask again for this tool until Guild Hall restarts</span>
          </label>
          <div className="flex flex-wrap justify-end gap-2">
            <AlertDialog.Cancel asChild><Button>Cancel</Button></AlertDialog.Cancel>
            <Button className="border-transparent! bg-bad! text-bg! hover:brightness-110" onClick={() => onSend(always)}>Run</Button>
          </div>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
