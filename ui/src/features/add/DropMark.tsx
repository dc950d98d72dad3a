/** The overlay that covers the window while a file is dragged over it. */
import { useEffect } from "react";

import { useDesktop } from "../../lib/desktop";
import { useLayers } from "../../lib/layers";
import { useNavigation } from "../../lib/navigation/navigation";
import { useStore } from "../../lib/store";
import { Sign } from "../../components/Icon";
import { useAddingStore } from "./addingStore";

export function DropMark() {
  const adding = useAddingStore();
  const layers = useLayers();
  const navigation = useNavigation();
  const { drops } = useDesktop();
  const hovered = useStore(adding.hovered, (is) => is);
  useEffect(
    () =>
      drops?.((drop) =>
        adding.follow(drop, (tab) => {
          // Opening a file by double-click causes a drop event too, possibly while a dialog is open, so other dialogs
          // are closed.
          layers.uncover();
          navigation.openAdding(tab);
        }),
      ),
    [adding, drops, layers, navigation],
  );
  if (!hovered) return null;
  return (
    <div role="status" className="pointer-events-none fixed inset-2 z-50 flex items-center justify-center rounded-md border-2 border-dashed border-accent bg-bg/80">
      <p data-testid="drop-mark" className="rounded-md border border-line bg-raised px-4 py-2">
        <Sign of="plus" className="me-1 text-accent" />Drop a config file or .mcpb bundle to preview it
      </p>
    </div>
  );
}
