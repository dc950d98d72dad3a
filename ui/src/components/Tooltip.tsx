import { Tooltip as Radix } from "radix-ui";
import { useState, type FocusEvent, type ReactElement, type ReactNode } from "react";

interface Props {
  /**
   * The text of the tooltip. If it is empty or `undefined`, no tooltip opens. When the text changes, the control keeps
   * its state and focus.
   */
  readonly text: ReactNode;
  readonly side?: "top" | "right" | "bottom" | "left";
  readonly children: ReactElement;
}

/** Keeps the tooltip closed when code moves the focus while the user uses the mouse. */
function onlyByKeys(event: FocusEvent): void {
  if (!event.currentTarget.matches(":focus-visible")) event.preventDefault();
}

/** Adds a tooltip to a control, shown on hover and on keyboard focus. */
export function Tooltip({ text, side = "bottom", children }: Props) {
  const [open, setOpen] = useState(false);
  return (
    <Radix.Provider delayDuration={400}>
      <Radix.Root open={open && text !== undefined && text !== ""} onOpenChange={setOpen}>
        <Radix.Trigger asChild onFocus={onlyByKeys}>{children}</Radix.Trigger>
        <Radix.Portal>
          {/* Radix makes this element the control's description. `aria-hidden` prevents a second reading. */}
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
