/** That what is held over the window can be dropped there. */
import { useEffect } from "react";

import { useHouse } from "../app/house";
import { useStore } from "../hall/store";

export function DropMark() {
  const house = useHouse();
  const { adding, drops } = house;
  const hovered = useStore(adding.hovered, (is) => is);
  useEffect(
    () =>
      drops?.((drop) =>
        adding.follow(drop, (tab) => {
          // A file opened by double-click arrives like a drop, even if a dialog covers the page.
          house.uncover();
          house.openAdding(tab);
        }),
      ),
    [adding, drops, house],
  );
  if (!hovered) return null;
  return (
    <div role="status" className="pointer-events-none fixed inset-2 z-50 flex items-center justify-center rounded-md border-2 border-dashed border-accent bg-bg/80">
      <p data-testid="drop-mark" className="rounded-md border border-line bg-raised px-4 py-2">
        <span aria-hidden className="text-accent">+ </span>Drop a configuration or a bundle to see what it would run. Nothing is started by it.
      </p>
    </div>
  );
}
