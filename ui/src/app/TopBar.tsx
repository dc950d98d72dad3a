import { useStore } from "../hall/store";
import { Button } from "../parts/Button";
import { KeyMark } from "../parts/KeyMark";
import { keyed } from "../words/format";
import { words } from "../words/frame";
import { themeFace } from "../words/theme";
import { useHouse } from "./house";
import { nextTheme, theme } from "./theme";
import { useKeysOf } from "./useKeysOf";

export function TopBar() {
  const house = useHouse();
  const now = useStore(theme, (choice) => choice);
  const drawer = useStore(house.layers.shown, (layers) => layers.includes("drawer"));
  const helpKeys = useKeysOf("help");
  const face = themeFace(now);
  return (
    <header data-region className="@container flex h-10 shrink-0 items-center gap-2 border-b border-line bg-surface px-2">
      <Button
        look="quiet"
        aria-label={words.roster}
        aria-expanded={drawer}
        className="narrow:hidden"
        data-tour="roster"
        onClick={() => house.toggleRoster()}
      >
        <span aria-hidden>☰</span>
      </Button>
      <button
        type="button"
        data-tour="palette"
        onClick={() => house.openPalette("")}
        className="flex h-7 min-w-0 flex-1 items-center gap-2 rounded-sm border border-line-strong bg-bg px-2 text-start text-dim hover:text-text narrow:max-w-md"
      >
        <span aria-hidden>⌕</span>
        <span className="min-w-0 flex-1 truncate @max-[240px]:sr-only">Find tool, member, action…</span>
        <KeyMark of="palette" className="text-sm @max-[480px]:hidden" />
      </button>
      <span className="flex-1 max-narrow:hidden" />
      <Button
        look="quiet"
        title={words.themeAndNext(face.word)}
        aria-label={words.theme(face.word)}
        onClick={nextTheme}
      >
        <span aria-hidden>{face.shape}</span>
        <span className="@max-[480px]:sr-only">{face.word}</span>
      </Button>
      <Button look="quiet" title={keyed("Help on what is shown here", helpKeys)} aria-label="Help on what is shown here" onClick={() => house.openHelp()}>
        <span aria-hidden>?</span>
      </Button>
    </header>
  );
}
