import { Tooltip as Radix } from "radix-ui";
import { useState, type FocusEvent, type ReactElement, type ReactNode } from "react";

interface Props {
  /** The control keeps its place in the tree, and its focus, when the text comes or goes. */
  readonly text: ReactNode;
  readonly side?: "top" | "right" | "bottom" | "left";
  readonly children: ReactElement;
}

/** Keeps the text closed where the window moves the focus for a person who uses the mouse. */
function onlyByKeys(event: FocusEvent): void {
  if (!event.currentTarget.matches(":focus-visible")) event.preventDefault();
}

/** A text beside its control, on hover and on keyboard focus. */
export function Tooltip({ text, side = "bottom", children }: Props) {
  const [open, setOpen] = useState(false);
  return (
    <Radix.Provider delayDuration={400}>
      <Radix.Root open={open && text !== undefined && text !== ""} onOpenChange={setOpen}>
        <Radix.Trigger asChild onFocus={onlyByKeys}>{children}</Radix.Trigger>
        <Radix.Portal>
          {/* Screen readers get the text as the description of its control, which comes from this element while it is open. */}
          <Radix.Content
            aria-hidden
            side={side}
            sideOffset={4}
            collisionPadding={8}
            className="z-50 max-w-80 animate-appear rounded-sm border border-line bg-raised px-2 py-1 text-sm break-words whitespace-pre-line text-text shadow-(--shadow)"
          >
            {text}
          </Radix.Content>
        </Radix.Portal>
      </Radix.Root>
    </Radix.Provider>
  );
}
