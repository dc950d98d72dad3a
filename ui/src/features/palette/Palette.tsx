/**
 * The palette finds tools, members and actions by a few letters. It searches cached lists, so no member has to
 * run. The first character of the text selects the kind of results, and `?` lists the kinds.
 */
import { Dialog } from "radix-ui";
import { useCallback, useEffect, useId, useMemo, useRef, useState, type KeyboardEvent } from "react";

import { Icon } from "../../components/Icon";
import { SIGNS } from "../../components/signs";
import { useLayers } from "../../lib/layers";
import { useNavigation } from "../../lib/navigation/navigation";
import { useSpoken } from "../../lib/spoken";
import { useStore } from "../../lib/store";
import { number } from "../../lib/format";
import type { Entry } from "./entry";
import { PaletteList } from "./PaletteList";
import { usePaletteState } from "./paletteState";
import { ROW_PX, rowsOf, type Row } from "./rows";
import { useFound } from "./sources";

const TITLE = "Search tools, members and actions";

/**
 * The index of the next entry from `from` in the direction of `step`. Skips headings and wraps at both ends; -1
 * for an empty list.
 */
function nextEntry(rows: readonly Row[], from: number, step: number): number {
  for (let count = 1; count <= rows.length; count += 1) {
    const index = (((from + step * count) % rows.length) + rows.length) % rows.length;
    if (rows[index]?.kind === "entry") return index;
  }
  return -1;
}

export default function Palette() {
  const palette = usePaletteState();
  const layers = useLayers();
  const spoken = useSpoken();
  const navigation = useNavigation();
  const text = useStore(palette.text, (now) => now);
  const setText = (next: string) => palette.text.set(next);
  const { sections, waiting, nothing } = useFound(text);
  const rows = useMemo(() => rowsOf(sections), [sections]);
  const count = rows.filter(({ kind }) => kind === "entry").length;
  // After each change of the text, the first entry is active. The arrow keys and the pointer select another one.
  const [chosen, setChosen] = useState<{ text: string; key: string } | null>(null);
  const found = chosen?.text === text ? rows.findIndex((row) => row.kind === "entry" && row.entry.key === chosen.key) : -1;
  const active = found >= 0 ? found : nextEntry(rows, -1, 1);
  /** The text at the time of an Enter press that came before the results; otherwise `null`. */
  const entered = useRef<string | null>(null);

  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const rowId = useCallback((index: number) => `${id}-row-${index}`, [id]);
  const close = () => layers.close("palette");
  const choose = (entry: Entry) => {
    if (entry.unavailable !== undefined) {
      spoken.set(`${entry.label}: ${entry.unavailable}`);
      return;
    }
    if (entry.goOn !== undefined) {
      setText(entry.goOn);
      return;
    }
    const from = navigation.place.get();
    close();
    entry.choose();
    // If the entry opened a page, close other dialogs, which would cover the page.
    if (navigation.place.get() !== from) layers.uncover();
  };
  const chooseActive = () => {
    const row = rows[active];
    if (row?.kind === "entry") choose(row.entry);
  };

  // If Enter was pressed before the results arrived, the best entry is chosen once they are complete.
  useEffect(() => {
    // The text may have changed since Enter was pressed, by typing or by another shortcut of the palette.
    if (entered.current !== text) entered.current = null;
    if (waiting || entered.current === null) return;
    entered.current = null;
    chooseActive();
  });

  function moveTo(index: number): void {
    const row = rows[index];
    if (row?.kind !== "entry") return;
    setChosen({ text, key: row.entry.key });
  }

  function onKeyDown(event: KeyboardEvent<HTMLInputElement>): void {
    if (event.nativeEvent.isComposing || event.altKey || event.metaKey) return;
    const page = Math.max(1, Math.floor((list.current?.clientHeight ?? 0) / ROW_PX) - 1);
    const last = rows.length;
    if (event.key === "ArrowDown") moveTo(nextEntry(rows, active, 1));
    else if (event.key === "ArrowUp") moveTo(nextEntry(rows, active, -1));
    else if (event.key === "PageDown") moveTo(nextEntry(rows, Math.min(last - 2, active + page - 1), 1));
    else if (event.key === "PageUp") moveTo(nextEntry(rows, Math.max(-1, active - page), 1));
    else if (event.key === "Home" && event.ctrlKey) moveTo(nextEntry(rows, -1, 1));
    else if (event.key === "End" && event.ctrlKey) moveTo(nextEntry(rows, last, -1));
    else if (event.key === "Enter" && !event.ctrlKey) {
      if (event.repeat) event.preventDefault();
      else if (waiting) entered.current = text;
      else chooseActive();
    } else return;
    event.preventDefault();
  }

  return (
    <Dialog.Root open onOpenChange={(open) => !open && close()}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-40 bg-black/40" />
        <Dialog.Content
          aria-describedby={undefined}
          data-region
          // The `Layers` store restores the focus after the palette is closed.
          onCloseAutoFocus={(event) => event.preventDefault()}
          className="fixed top-[12vh] scant:top-0 left-1/2 z-50 flex max-h-[80vh] scant:max-h-screen w-[min(640px,calc(100vw-24px))] -translate-x-1/2 flex-col overflow-hidden rounded-lg border border-line bg-raised shadow-(--shadow)"
        >
          <Dialog.Title className="sr-only">{TITLE}</Dialog.Title>
          <div className="relative flex shrink-0 items-center border-b border-line">
            <Icon of={SIGNS.search} className="pointer-events-none absolute start-3.5 text-faint" />
            <input
              type="text"
              role="combobox"
              aria-label={TITLE}
              aria-expanded={count > 0}
              aria-controls={`${id}-rows`}
              aria-autocomplete="list"
              aria-activedescendant={active >= 0 ? rowId(active) : undefined}
              data-testid="palette-input"
              value={text}
              onChange={(event) => setText(event.target.value)}
              onKeyDown={onKeyDown}
              maxLength={200}
              spellCheck={false}
              autoComplete="off"
              placeholder={TITLE}
              className="h-11 w-full bg-transparent ps-10 pe-3 -outline-offset-2 placeholder:text-faint"
            />
          </div>
          <PaletteList
            key={text}
            ref={list}
            id={`${id}-rows`}
            rows={rows}
            rowId={rowId}
            count={count}
            active={active}
            waiting={waiting}
            onChoose={choose}
            onPoint={moveTo}
          />
          <Summary count={count} waiting={waiting} nothing={nothing} />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** The number of results, also announced to screen readers. */
function Summary({ count, waiting, nothing }: { count: number; waiting: boolean; nothing: string }) {
  const spoken = useSpoken();
  const summary = waiting ? "Loading tools…" : count === 0 ? nothing : `${number(count)} found · ↑ ↓ to choose, Enter to open`;
  useEffect(() => spoken.set(summary), [spoken, summary]);
  return <p className="shrink-0 border-t border-line px-3 py-1 text-sm text-dim scant:sr-only">{summary}</p>;
}
