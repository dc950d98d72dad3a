/** The history in the dock: the filter, the list, and the open call beside it. */
import { useEffect, useMemo, useState, type KeyboardEvent } from "react";

import { useHouse } from "../app/house";
import { useKeysOf } from "../app/useKeysOf";
import type { HistoryEntry, HistoryFilter } from "../bridge/bindings";
import { asRefusal } from "../bridge/bridge";
import { useStore } from "../hall/store";
import { Button } from "../parts/Button";
import { Sign } from "../parts/Icon";
import { SplitPane } from "../parts/SplitPane";
import { useNow } from "../parts/useNow";
import { useSlow } from "../parts/useSlow";
import { counted, number } from "../words/format";
import { CallList } from "./CallList";
import type { Pages } from "./callLog";
import { ClearQuestion, type Removal } from "./ClearQuestion";
import { Comparison } from "./Comparison";
import { EntryView } from "./EntryView";
import { ExportButton } from "./ExportButton";
import { EVERYTHING, filterOf, isFiltering, onlyThis } from "./filter";
import { FilterBar } from "./FilterBar";
import { HistorySettings } from "./HistorySettings";
import { HistoryTrouble } from "./HistoryTrouble";
import { useHistoryState, type KnownState } from "./useHistoryState";

/** How often to check whether a new day has begun, for `today`. */
const DAY_CHECK_MS = 60_000;

export default function HistoryPanel() {
  const { history, dock } = useHouse();
  const { log } = history;
  const choice = useStore(history.choice, (now) => now);
  const pages = useStore(log.pages, (now) => now);
  const opened = useStore(history.opened, (id) => id);
  const compared = useStore(history.compared, (sides) => sides);
  const now = useNow(DAY_CHECK_MS);
  const known = useHistoryState();
  const [asked, setAsked] = useState<{ filter: HistoryFilter; what: Removal } | null>(null);
  const filter = useMemo(() => filterOf(choice, now), [choice, now]);
  useEffect(() => log.setFilter(filter), [log, filter]);
  useEffect(() => log.watch(), [log]);
  useEffect(() => {
    // The user may have called a tool from a terminal in between.
    const onFocus = () => log.lookAgain();
    window.addEventListener("focus", onFocus);
    return () => window.removeEventListener("focus", onFocus);
  }, [log]);

  const close = () => {
    history.close();
    dock.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || event.defaultPrevented || (opened === null && compared === null)) return;
    event.preventDefault();
    close();
  };
  const askOne = (entry: HistoryEntry) => setAsked({ filter: onlyThis(entry), what: "one" });
  const beside =
    compared !== null ? (
      <Comparison sides={compared} onClose={close} />
    ) : opened !== null ? (
      <EntryView id={opened} onClose={close} />
    ) : null;
  return (
    // Escape closes what is open, wherever inside the focus is.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div className="flex min-h-0 flex-1 flex-col short:max-wide:flex-none" onKeyDown={onKeyDown} data-testid="history">
      <div className="flex shrink-0 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-2 py-1">
        <FilterBar />
        <Count pages={pages} known={known} />
        <CompareButton />
        <ExportButton filter={filter} empty={pages.entries.length === 0} />
        <Button
          look="quiet"
          unavailable={pages.entries.length === 0 ? "There is nothing to remove" : undefined}
          onClick={() => setAsked({ filter, what: isFiltering(filter) ? "fitting" : "all" })}
        >
          Clear…
        </Button>
        <HistorySettings known={known} />
      </div>
      <Warnings known={known} />
      <SplitPane name="history-share" label="Width of the list" share={48}>
        <div
          className={`flex min-h-0 min-w-0 flex-col wide:w-(--share) wide:shrink-0 ${
            beside === null ? "max-wide:flex-1" : "max-wide:h-40 max-wide:shrink-0 max-wide:border-b max-wide:border-line"
          }`}
        >
          {pages.trouble !== null && <HistoryTrouble report={pages.trouble} />}
          {pages.entries.length > 0 && <CallList onDelete={askOne} />}
          {pages.entries.length === 0 && pages.trouble === null && <Nothing pages={pages} known={known} />}
        </div>
        {beside === null ? null : (
          <div data-beside className="flex min-h-0 min-w-0 flex-col wide:flex-1 max-wide:min-h-72 max-wide:shrink-0">{beside}</div>
        )}
      </SplitPane>
      {asked !== null && <ClearQuestion {...asked} onCleared={known.renew} onClose={() => setAsked(null)} onLeft={() => dock.focus()} />}
    </div>
  );
}

function CompareButton() {
  const { history } = useHouse();
  const marked = useStore(history.marked, (all) => all);
  if (marked.length === 0) return null;
  return (
    <>
      <Button unavailable={marked.length < 2 ? "Mark another call with Space" : undefined} onClick={() => history.compareMarked()}>
        Compare ({number(marked.length)} of 2 marked)
      </Button>
      <Button look="quiet" onClick={() => history.marked.set([])}>Unmark</Button>
    </>
  );
}

/** How many there are, also said aloud. */
function Count({ pages, known }: { pages: Pages; known: KnownState }) {
  const { spoken } = useHouse();
  const { entries, more, filter, read, reading } = pages;
  const slow = useSlow(reading !== null);
  const filtering = isFiltering(filter);
  const says = !read
    ? ""
    : filtering
      ? `${number(entries.length)}${more ? "+" : ""} found`
      : counted(Math.max(known.state?.calls ?? 0, entries.length), { one: "call", other: "calls" });
  const found = filtering ? says : "";
  useEffect(() => {
    if (found !== "") spoken.set(found);
  }, [spoken, found]);
  return (
    <span className="text-sm text-dim tabular-nums" data-testid="history-count">
      {says}
      {slow && <span role="status"> · reading…</span>}
    </span>
  );
}

function Warnings({ known }: { known: KnownState }) {
  const { hall } = useHouse();
  const { state } = known;
  if (state === null) return null;
  const { settings, trouble, unrecorded } = state;
  const record = () =>
    known.change({ ...settings, recording: true }).catch((reason: unknown) => hall.tell(asRefusal(reason).report));
  return (
    <>
      {!settings.recording && (
        <p role="status" className="flex shrink-0 flex-wrap items-center gap-2 border-b border-line bg-warn-fill px-3 py-1">
          <span data-testid="history-off">
            <Sign of="pause" className="text-warn me-1" />
            Calls are not being recorded.
          </span>
          <Button onClick={() => void record()}>Record calls</Button>
        </p>
      )}
      {trouble !== null && unrecorded > 0 && (
        <p role="status" className="shrink-0 border-b border-line bg-warn-fill px-3 py-1">
          <Sign of="warning" className="text-warn me-1" />
          {counted(unrecorded, { one: "call", other: "calls" })} could not be recorded since the start.
        </p>
      )}
    </>
  );
}

/** Why the list is empty, and what to do about it. */
function Nothing({ pages, known }: { pages: Pages; known: KnownState }) {
  const { history } = useHouse();
  const keys = useKeysOf("run");
  const slow = useSlow(!pages.read);
  if (!pages.read) return <p role="status" className="p-4 text-dim">{slow && "Reading the history…"}</p>;
  if (isFiltering(pages.filter)) {
    return (
      <div className="p-4" data-testid="history-none">
        <p data-testid="history-unfit">No call fits.</p>
        <p className="text-dim">Each word has to stand in the member, the tool, the arguments, the error or the first part of the result; the last one may be a beginning.</p>
        <Button className="mt-2" onClick={() => history.choice.set(EVERYTHING)}>Clear filters</Button>
      </div>
    );
  }
  return (
    <div className="p-4" data-testid="history-empty">
      <p>No call was recorded yet.</p>
      <p className="text-dim">
        {known.state?.settings.recording === false
          ? "Recording is off."
          : `Open a tool and ${keys === undefined ? "run it" : `press ${keys}`}: each call is kept here with its result, to be looked at and made again.`}
      </p>
    </div>
  );
}
