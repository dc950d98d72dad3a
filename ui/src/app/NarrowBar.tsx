import { usePaletteState } from "../features/palette/paletteState";
import { useLayers } from "../lib/layers";
import { useRosterPanel } from "../lib/rosterPanel";
import { useStore } from "../lib/store";
import { IconButton } from "../components/IconButton";
import { keyed } from "../lib/format";
import { words } from "../lib/words/frame";
import { useKeysOf } from "../lib/keys/useKeysOf";

/** The bar that replaces the sidebar in narrow windows, with buttons for the sidebar and the palette. */
export function NarrowBar() {
  const layers = useLayers();
  const roster = useRosterPanel();
  const palette = usePaletteState();
  const drawer = useStore(layers.shown, (layers) => layers.includes("drawer"));
  const paletteKeys = useKeysOf("palette");
  return (
    <nav data-region aria-label={words.sidebar} className="flex h-10 shrink-0 items-center gap-1 border-b border-line bg-sidebar px-2 narrow:hidden">
      <IconButton icon="menu" label={words.sidebar} aria-expanded={drawer} data-tour="roster" onClick={() => roster.toggle()} />
      <span className="me-auto truncate font-semibold">Guild Hall</span>
      <IconButton icon="search" label={words.search} title={keyed(words.search, paletteKeys)} data-tour="palette" onClick={() => palette.open("")} />
    </nav>
  );
}
