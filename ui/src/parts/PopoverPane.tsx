import { Popover } from "radix-ui";

import { useHouse } from "../app/house";

/** What opens beside a button. It stays, with what is typed in it, while the palette or another layer lies above. */
export function PopoverPane({ className, ...props }: Popover.PopoverContentProps) {
  const { layers } = useHouse();
  return (
    <Popover.Portal>
      <Popover.Content
        collisionPadding={8}
        onInteractOutside={(event) => layers.top() !== undefined && event.preventDefault()}
        className={`z-30 rounded-md border border-line-strong bg-raised shadow-(--shadow) ${className ?? ""}`}
        {...props}
      />
    </Popover.Portal>
  );
}
