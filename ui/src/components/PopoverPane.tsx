import { Popover } from "radix-ui";

import { useLayers } from "../lib/layers";


interface Props extends Popover.PopoverContentProps {
  /** Whether the pane stays open, with the user's input, while a dialog such as the palette is open above it. */
  readonly stays?: boolean;
}

/** The content of a popover. */
export function PopoverPane({ stays = false, className = "", ...props }: Props) {
  const layers = useLayers();
  return (
    <Popover.Portal>
      <Popover.Content
        collisionPadding={8}
        onInteractOutside={(event) => stays && layers.isDialogOnTop() && event.preventDefault()}
        className={`z-30 rounded-md border border-control bg-raised shadow-(--shadow) ${className}`}
        {...props}
      />
    </Popover.Portal>
  );
}
