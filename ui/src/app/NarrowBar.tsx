import { useStore } from "../lib/store";
import { IconButton } from "../components/IconButton";
import { keyed } from "../lib/format";
import { words } from "../lib/words/frame";
import { useHouse } from "./house";
import { useKeysOf } from "../lib/keys/useKeysOf";

/** Opens the sidebar and the palette in a window that has no room for the sidebar's icons. */
export function NarrowBar() {
  const house = useHouse();
  const drawer = useStore(house.layers.shown, (layers) => layers.includes("drawer"));
  const paletteKeys = useKeysOf("palette");
  return (
    <nav data-region aria-label={words.sidebar} className="flex h-10 shrink-0 items-center gap-1 border-b border-line bg-sidebar px-2 narrow:hidden">
      <IconButton icon="menu" label={words.sidebar} aria-expanded={drawer} data-tour="roster" onClick={() => house.toggleRoster()} />
      <span className="me-auto truncate font-semibold">Guild Hall</span>
      <IconButton icon="search" label={words.search} title={keyed(words.search, paletteKeys)} data-tour="palette" onClick={() => house.openPalette("")} />
    </nav>
  );
}
