import { Tooltip as Radix } from "radix-ui";
import type { ReactElement, ReactNode } from "react";

interface Props {
  /** Nothing is added to the control without a text. */
  readonly text: ReactNode;
  readonly side?: "top" | "right" | "bottom" | "left";
  readonly children: ReactElement;
}

/** A text beside its control, on hover and on keyboard focus. */
export function Tooltip({ text, side = "bottom", children }: Props) {
  if (text === undefined || text === "") return children;
  return (
    <Radix.Root>
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
  );
}

/** The delays that all tooltips below it share. */
export function TooltipProvider({ children }: { readonly children: ReactNode }) {
  return <Radix.Provider delayDuration={400}>{children}</Radix.Provider>;
}
