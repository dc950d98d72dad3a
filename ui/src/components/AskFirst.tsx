/** A dialog that explains an action that can't be undone and asks the user to confirm it. */
import { AlertDialog } from "radix-ui";
import type { ReactNode, RefObject } from "react";

import { useAsking } from "../lib/useAsking";
import type { Report } from "../ipc/bindings";
import { Button } from "./Button";
import { ErrorReport } from "./ErrorReport";
import { intoSight, isFocusNowhere } from "../lib/focus";
import { useOperation } from "../lib/useOperation";

interface Props {
  readonly title: string;
  /** The label of the button that runs the action (`does`), and the label of the Cancel button (`keep`). */
  readonly does: string;
  readonly keep: string;
  readonly onDo: () => Promise<Report | null>;
  readonly onClose: () => void;
  /** The element that gets the focus when the dialog closes and no element has the focus. */
  readonly returnTo: RefObject<HTMLElement | null>;
  /** The explanation of the action's effect. */
  readonly children: ReactNode;
}

export function AskFirst({ title, does, keep, onDo, onClose, returnTo, children }: Props) {
  const operation = useOperation();
  useAsking(onClose);
  return (
    <AlertDialog.Root open onOpenChange={(open) => !open && onClose()}>
      <AlertDialog.Portal>
        <AlertDialog.Overlay className="fixed inset-0 z-40 bg-black/40" />
        <AlertDialog.Content
          onFocus={intoSight}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            // The focus moves only if no element has the focus.
            if (isFocusNowhere()) returnTo.current?.focus();
          }}
          className="fixed top-[15vh] scant:top-0 left-1/2 z-50 flex max-h-[80vh] scant:max-h-screen w-[min(460px,calc(100vw-24px))] -translate-x-1/2 flex-col gap-2 overflow-y-auto rounded-md border border-control bg-raised p-4 shadow-(--shadow)"
        >
          <AlertDialog.Title className="text-lg font-semibold break-words">{title}</AlertDialog.Title>
          <AlertDialog.Description className="break-words text-dim">{children}</AlertDialog.Description>
          {operation.problem && <ErrorReport report={operation.problem} />}
          <div className="mt-2 flex flex-wrap justify-end gap-2">
            <AlertDialog.Cancel asChild>
              <Button>{keep}</Button>
            </AlertDialog.Cancel>
            <Button look="danger" unavailable={operation.busy ? "In progress" : undefined} onClick={() => void operation.go(onDo)}>
              {does}
            </Button>
          </div>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
