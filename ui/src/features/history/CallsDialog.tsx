/** The frame of the dialogs that create checks and mock members from recorded calls. */
import { Dialog } from "radix-ui";
import type { ReactNode } from "react";

import { Sign } from "../../components/Icon";
import type { HistoryEntry, UnusedCall } from "../../ipc/bindings";
import { intoSight, isFocusNowhere } from "../../lib/focus";
import { counted } from "../../lib/format";
import { useAsking } from "../../lib/useAsking";

export interface CallsDialogProps {
  /** The recorded calls, at least one. */
  readonly calls: readonly HistoryEntry[];
  readonly onClose: () => void;
  /** Called after the dialog closes if no element has the focus. */
  readonly onLeft: () => void;
}

interface Props extends Omit<CallsDialogProps, "calls"> {
  readonly title: string;
  /** What the dialog creates, in a sentence or two. */
  readonly about: string;
  /** Called for Escape, for example to cancel the work first. By default, Escape closes the dialog. */
  readonly onEscape?: () => void;
  readonly children: ReactNode;
}

export function CallsDialog({ title, about, onClose, onLeft, onEscape = onClose, children }: Props) {
  useAsking(onClose);
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onEscape()}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-40 bg-black/40" />
        <Dialog.Content
          data-testid="calls-dialog"
          onFocus={intoSight}
          onInteractOutside={(event) => event.preventDefault()}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            if (isFocusNowhere()) onLeft();
          }}
          className="fixed top-[10vh] scant:top-0 left-1/2 z-50 flex max-h-[80vh] scant:max-h-screen w-[min(520px,calc(100vw-24px))] -translate-x-1/2 flex-col gap-3 overflow-y-auto rounded-md border border-control bg-raised p-4 shadow-(--shadow)"
        >
          <Dialog.Title className="text-lg font-semibold break-words">{title}</Dialog.Title>
          <Dialog.Description className="break-words text-dim">{about}</Dialog.Description>
          {children}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

interface LeftOutProps {
  readonly calls: readonly UnusedCall[];
  /** The number of calls that the history no longer has. */
  readonly missing: number;
}

/** The calls that were not used, each with the reason. */
export function LeftOut({ calls, missing }: LeftOutProps) {
  if (calls.length === 0 && missing === 0) return null;
  return (
    <section className="flex flex-col gap-1">
      <h3 className="font-semibold">Left out</h3>
      <ul aria-label="Left-out calls" className="select-text">
        {calls.map(({ entry, member, tool, why }) => (
          <li key={entry} className="break-words">
            <Sign of="warning" className="me-1 text-warn" />
            <bdi>{member}</bdi> <code className="font-mono text-sm">{tool}</code>: <bdi>{why}</bdi>
          </li>
        ))}
        {missing > 0 && (
          <li className="break-words">
            <Sign of="warning" className="me-1 text-warn" />
            {counted(missing, { one: "call was", other: "calls were" })} removed from the history
          </li>
        )}
      </ul>
    </section>
  );
}
