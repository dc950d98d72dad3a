import { Tooltip as Radix } from "radix-ui";
import { useState, type ReactElement, type ReactNode } from "react";

interface Props {
  /** The control keeps its place in the tree, and its focus, when the text comes or goes. */
  readonly text: ReactNode;
  readonly side?: "top" | "right" | "bottom" | "left";
  readonly children: ReactElement;
}

/** A text beside its control, on hover and on keyboard focus. */
export function Tooltip({ text, side = "bottom", children }: Props) {
  const [open, setOpen] = useState(false);
  return (
    <Radix.Provider delayDuration={400}>
      <Radix.Root open={open && text !== undefined && text !== ""} onOpenChange={setOpen}>
        <Radix.Trigger asChild>{children}</Radix.Trigger>
        <Radix.Portal>
          <Radix.Content
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
