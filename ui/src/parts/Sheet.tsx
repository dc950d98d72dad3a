import { Dialog } from "radix-ui";
import type { ReactNode } from "react";

import { useAsking } from "../app/useAsking";
import { IconButton } from "./IconButton";

interface Props {
  readonly title: ReactNode;
  readonly actions?: ReactNode;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A pane at the end side of the window, over the page. */
export function Sheet({ title, actions, onClose, children }: Props) {
  useAsking(onClose);
  return (
    <Dialog.Root open modal={false} onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Content
          aria-describedby={undefined}
          // The first button would show its tooltip, which takes the first Esc.
          onOpenAutoFocus={(event) => {
            event.preventDefault();
            if (event.currentTarget instanceof HTMLElement) event.currentTarget.focus();
          }}
          onInteractOutside={(event) => event.preventDefault()}
          className="fixed inset-y-0 end-0 z-30 flex outline-none w-[min(480px,100vw)] animate-appear flex-col border-s border-line bg-raised shadow-(--shadow)"
        >
          <div className="flex shrink-0 items-start gap-2 border-b border-line px-4 py-3">
            <Dialog.Title className="min-w-0 flex-1 text-lg font-semibold break-words">{title}</Dialog.Title>
            {actions}
            <Dialog.Close asChild>
              <IconButton icon="close" label="Close" />
            </Dialog.Close>
          </div>
          <div className="flex min-h-0 flex-1 flex-col overflow-y-auto">{children}</div>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
