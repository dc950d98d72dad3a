/** The Calls tab: the table of past calls below the filter or the selection, and a sheet with the opened call. */
import { useEffect, useMemo, useRef, useState, type RefObject } from "react";

import type { HistoryEntry, HistoryFilter } from "../../ipc/bindings";
import { asRefusal } from "../../ipc/bridge";
import { focusedOutsideMenus } from "../../lib/focus";
import { useDesktop } from "../../lib/desktop";
import { useHall } from "../../lib/hall/hall";
import { useSpoken } from "../../lib/spoken";
import { useStore } from "../../lib/store";
import { Band } from "../../components/Badge";
import { Button } from "../../components/Button";
import { EmptyState } from "../../components/EmptyState";
import { IconButton } from "../../components/IconButton";
import { Menu } from "../../components/Menu";
import { Reading } from "../../components/Reading";
import { showToast } from "../../lib/toasts";
import { useNow } from "../../lib/useNow";
import { counted, number } from "../../lib/format";
import { moment } from "../../lib/time";
import { CallList } from "./CallList";
import { useCallHistory } from "./callHistory";
import type { Pages } from "./callLog";
import { CallSheet } from "./CallSheet";
import { ChecksDialog } from "./ChecksDialog";
import { ClearQuestion } from "./ClearQuestion";
import { Comparison } from "./Comparison";
import { EVERYTHING, filterOf, isFiltering } from "./filter";
import { FilterBar } from "./FilterBar";
import { HistorySettings } from "./HistorySettings";
import { HistoryErrorReport } from "./HistoryErrorReport";
import { MockDialog } from "./MockDialog";
import { whyNotAll, type CreatedKind } from "./recordedCalls";
import { SelectionBar } from "./SelectionBar";
import type { KnownState } from "./useHistoryState";

/** The interval at which the tab checks whether a new day has begun, for the filter "Today". */
const DAY_CHECK_MS = 60_000;

export function CallsTab({ known, takesFocusRef }: { known: KnownState; takesFocusRef: RefObject<boolean> }) {
  const history = useCallHistory();
  const { log } = history;
  const choice = useStore(history.choice, (now) => now);
  const pages = useStore(log.pages, (now) => now);
  const hidden = useStore(log.hidden, (ids) => ids);
  const opened = useStore(history.opened, (id) => id);
  const compared = useStore(history.compared, (sides) => sides);
  const selected = useStore(history.selected, (all) => all);
  const now = useNow(DAY_CHECK_MS);
  const list = useRef<HTMLDivElement>(null);
  const [creating, setCreating] = useState<{ readonly kind: CreatedKind; readonly calls: readonly HistoryEntry[] } | null>(null);
  /** The button that opened the dialog `creating`. */
  const opener = useRef<Element | null>(null);
  const filter = useMemo(() => filterOf(choice, now), [choice, now]);
  const entries = useMemo(() => (hidden.size === 0 ? pages.entries : pages.entries.filter(({ id }) => !hidden.has(id))), [pages.entries, hidden]);
  useEffect(() => log.setFilter(filter), [log, filter]);
  useEffect(() => log.watch(), [log]);
  useEffect(() => {
    // Another program may have called a tool while the window was in the background.
    const onFocus = () => log.lookAgain();
    window.addEventListener("focus", onFocus);
    return () => window.removeEventListener("focus", onFocus);
  }, [log]);
  useEffect(() => {
    if (!pages.read || !takesFocusRef.current) return;
    takesFocusRef.current = false;
    list.current?.focus();
  }, [pages.read, takesFocusRef]);

  const focusList = () => (list.current ?? document.getElementById("history-title"))?.focus();
  const close = () => {
    history.close();
    focusList();
  };
  const create = (kind: CreatedKind, calls: readonly HistoryEntry[]) => {
    opener.current = focusedOutsideMenus();
    setCreating({ kind, calls });
  };
  const focusOpener = () => {
    if (opener.current instanceof HTMLElement && opener.current.isConnected) opener.current.focus();
    else focusList();
  };
  const CreateDialog = creating?.kind === "mock" ? MockDialog : ChecksDialog;
  const isOpen = opened !== null || compared !== null;
  return (
    <div className={`flex min-h-0 flex-1 flex-col ${isOpen ? "min-[1100px]:pe-120" : ""}`}>
      <div className="flex min-h-12 shrink-0 flex-wrap items-center gap-2 border-b border-line px-5 py-1.5">
        {selected.length > 0 ? <SelectionBar selected={selected} onDone={focusList} onCreate={create} /> : <Toolbar {...{ pages, known, filter, entries }} onLeft={focusList} onCreate={create} />}
      </div>
      <Warnings known={known} />
      {pages.trouble !== null && <HistoryErrorReport report={pages.trouble} />}
      {entries.length > 0 && <CallList entries={entries} list={list} />}
      {entries.length === 0 && pages.trouble === null && <Nothing pages={pages} known={known} />}
      {creating !== null && <CreateDialog calls={creating.calls} onClose={() => setCreating((now) => (now === creating ? null : now))} onLeft={focusOpener} />}
      {compared !== null && <Comparison sides={compared} onClose={close} />}
      {opened !== null && <CallSheet id={opened} onClose={close} />}
    </div>
  );
}

interface ToolbarProps {
  readonly pages: Pages;
  readonly known: KnownState;
  readonly filter: HistoryFilter;
  readonly entries: readonly HistoryEntry[];
  /** Called after the dialog that deletes calls has closed, to return the focus to the list. */
  readonly onLeft: () => void;
  readonly onCreate: (kind: CreatedKind, calls: readonly HistoryEntry[]) => void;
}

function Toolbar({ pages, known, filter, entries, onLeft, onCreate }: ToolbarProps) {
  const hall = useHall();
  const { pickPath } = useDesktop();
  const [clearing, setClearing] = useState<HistoryFilter | null>(null);
  const [setting, setSetting] = useState(false);
  const empty = entries.length === 0 ? "No calls" : undefined;
  const whyNot = whyNotAll(pages, entries);
  const exportCalls = async (pick: NonNullable<typeof pickPath>) => {
    try {
      const path = await pick({ kind: "new-file", suggestedName: `guild-hall-calls-${moment(Date.now()).slice(0, 10)}.jsonl` });
      if (path === null) return;
      const exported = await hall.ask("export_history", { filter, path });
      showToast({ text: `Exported ${counted(exported.count, { one: "call", other: "calls" })} to ${exported.path}` });
    } catch (reason) {
      hall.tell(asRefusal(reason).report);
    }
  };
  return (
    <>
      <FilterBar />
      <Found pages={pages} entries={entries.length} />
      <HistorySettings known={known} open={setting} onOpen={setSetting}>
        <span className="ms-auto inline-flex">
          <Menu
            items={[
              ...(pickPath ? [{ label: "Export…", icon: "download" as const, unavailable: empty, onSelect: () => void exportCalls(pickPath) }] : []),
              { label: "Create checks…", icon: "done", unavailable: whyNot, onSelect: () => onCreate("checks", entries) },
              { label: "Create mock member…", icon: "repeat", unavailable: whyNot, onSelect: () => onCreate("mock", entries) },
              { label: "Settings…", icon: "settings", onSelect: () => setSetting(true) },
              "line",
              { label: isFiltering(filter) ? "Delete matching calls…" : "Delete all calls…", icon: "trash", danger: true, unavailable: empty, onSelect: () => setClearing(filter) },
            ]}
          >
            <IconButton icon="more" label="More actions for the history" title="More actions" />
          </Menu>
        </span>
      </HistorySettings>
      {clearing !== null && <ClearQuestion filter={clearing} onCleared={known.renew} onClose={() => setClearing(null)} onLeft={onLeft} />}
    </>
  );
}

/** The number of matching calls, which is also announced to screen readers. */
function Found({ pages, entries }: { pages: Pages; entries: number }) {
  const spoken = useSpoken();
  const { more, filter, read, reading } = pages;
  const found = read && isFiltering(filter) ? `${number(entries)}${more ? "+" : ""} found` : "";
  useEffect(() => {
    if (found !== "") spoken.set(found);
  }, [spoken, found]);
  return (
    <span className="text-sm text-dim tabular-nums" data-testid="history-count">
      {found} {read && reading !== null && <span role="status" className="late">Loading…</span>}
    </span>
  );
}

function Warnings({ known }: { known: KnownState }) {
  const hall = useHall();
  const { state } = known;
  if (state === null) return null;
  const { settings, trouble, unrecorded } = state;
  const record = () =>
    known.change({ ...settings, recording: true }).catch((reason: unknown) => hall.tell(asRefusal(reason).report));
  return (
    <div className="flex shrink-0 flex-col gap-2 px-5 py-2 empty:hidden">
      {!settings.recording && (
        <Band tone="warn" icon="pause" role="status" actions={<Button onClick={() => void record()}>Record calls</Button>}>
          <span data-testid="history-off">Guild Hall doesn't record calls.</span>
        </Band>
      )}
      {trouble !== null && unrecorded > 0 && (
        <Band tone="warn" icon="warning" role="status">
          {counted(unrecorded, { one: "call", other: "calls" })} couldn't be recorded since Guild Hall started.
        </Band>
      )}
    </div>
  );
}

function Nothing({ pages, known }: { pages: Pages; known: KnownState }) {
  const history = useCallHistory();
  if (!pages.read) return <Reading what="the history" />;
  if (isFiltering(pages.filter)) {
    return (
      <div data-testid="history-unfit">
        <EmptyState icon="filter" title="No matching calls" actions={<Button onClick={() => history.choice.set(EVERYTHING)}>Clear filters</Button>}>
          A call matches if each word is in its member, tool, arguments, error or the first part of its result.
        </EmptyState>
      </div>
    );
  }
  return (
    <div data-testid="history-empty">
      <EmptyState icon="history" title="No calls yet">
        {known.state?.settings.recording === false ? "Recording is off." : "Run a tool. Each call appears here with its arguments and result."}
      </EmptyState>
    </div>
  );
}
