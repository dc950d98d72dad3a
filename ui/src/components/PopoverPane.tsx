import { Popover } from "radix-ui";

import { useLayers } from "../lib/layers";


interface Props extends Popover.PopoverContentProps {
  /** Whether it stays, with what is typed in it, while a dialog such as the palette lies above; it goes with its page. */
  readonly stays?: boolean;
}

/** A pane that opens beside a button. */
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
