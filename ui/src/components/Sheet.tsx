import { Dialog } from "radix-ui";
import type { ReactNode } from "react";

import { useAsking } from "../lib/useAsking";
import { IconButton } from "./IconButton";

interface Props {
  readonly title: ReactNode;
  readonly actions?: ReactNode;
  /** Whether the sheet is twice as wide, for content such as two results side by side. */
  readonly wide?: boolean;
  readonly testid?: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A non-modal side sheet over the page, on the right (in right-to-left languages, on the left). */
export function Sheet({ title, actions, wide = false, testid, onClose, children }: Props) {
  useAsking(onClose);
  return (
    <Dialog.Root open modal={false} onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Content
          aria-describedby={undefined}
          onInteractOutside={(event) => event.preventDefault()}
          onOpenAutoFocus={(event) => {
            // A focused first button would show its tooltip, and Escape would close the tooltip instead of the sheet.
            event.preventDefault();
            if (event.currentTarget instanceof HTMLElement) event.currentTarget.focus();
          }}
          data-testid={testid}
          data-region
          className={`fixed top-0 bottom-6 end-0 z-30 flex outline-none max-narrow:bottom-0 ${wide ? "w-[min(960px,100vw)]" : "w-[min(480px,100vw)]"} animate-appear flex-col border-s border-line bg-raised shadow-(--shadow)`}
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
