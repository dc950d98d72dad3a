/* oxlint-disable jsx-a11y/no-static-element-interactions -- the rule can't evaluate a role that is computed at run
   time; the role is `tree` or `listbox` */
/**
 * The roster: all members, and the tools of expanded members, as a virtualized tree with a single Tab stop. While
 * a search over all tools is active, its results replace the tree.
 */
import { useVirtualizer } from "@tanstack/react-virtual";
import { useCallback, useEffect, useMemo, useRef, useState, type KeyboardEvent, type MouseEvent } from "react";

import { useDesktop } from "../../lib/desktop";
import { useHall } from "../../lib/hall/hall";
import { useKeysOf } from "../../lib/keys/useKeysOf";
import { useNavigation, type Navigation } from "../../lib/navigation/navigation";
import { type Place, memberOf } from "../../lib/navigation/places";
import { useRosterPanel, type RosterPanel } from "../../lib/rosterPanel";
import { useSpoken } from "../../lib/spoken";
import { AddingLead } from "../add/AddingLead";
import { FoundLead } from "../add/found/FoundLead";
import { stateOf } from "../../lib/hall/state";
import { useStore } from "../../lib/store";
import { Button } from "../../components/Button";
import { Icon } from "../../components/Icon";
import { PointerMenu } from "../../components/Menu";
import { rowForKey, rowsInView } from "../../lib/listKeys";
import { rangeWith } from "../../lib/rangeWith";
import { SIGNS } from "../../components/signs";
import { number } from "../../lib/format";
import { words as frame } from "../../lib/words/frame";
import { useFoundStore } from "../add/found/foundStore";
import { useManaging } from "../member/edit/managing";
import { menuItems } from "./menuItems";
import { RosterHead } from "./RosterHead";
import { RosterRow } from "./RosterRow";
import { ROW_PX } from "./rowHeights";
import { foundRows, indexOfRow, memberRowId, parentIndex, toolRowId, treeRows, typeAhead, type Row } from "./rows";
import { useSearch } from "./useSearch";

const ROWS_ID = "roster-rows";
const TYPE_AHEAD_MS = 500;

function rowDomId(index: number): string {
  return `roster-row-${index}`;
}

/** Opens the page of a row. */
function openRow({ navigation, roster }: { readonly navigation: Navigation; readonly roster: RosterPanel }, row: Row): void {
  if (row.kind === "tool") navigation.openTool(row.tool.member, row.tool.name);
  else if (row.kind === "member") {
    navigation.openMember(row.view.name);
    roster.setExpanded(row.view.name, true);
  } else navigation.openMember(row.member, row.kind === "trouble");
}

function shownRowId(place: Place): string | null {
  if (place.kind === "tool") return toolRowId(place.member, place.tool);
  const member = memberOf(place);
  return member === null ? null : memberRowId(member);
}

export function Roster() {
  const hall = useHall();
  const roster = useRosterPanel();
  const navigation = useNavigation();
  const foundBook = useFoundStore();
  const desktop = useDesktop();
  const managing = useManaging();
  const spoken = useSpoken();
  const opened = useStore(hall.state, (state) => state.opened);
  const members = useStore(hall.state, (state) => state.members);
  const byName = useStore(hall.state, (state) => state.byName);
  const expanded = useStore(roster.expanded, (all) => all);
  const lists = useStore(hall.lists, (all) => all);
  const place = useStore(navigation.place, (now) => now);
  const found = useStore(foundBook.count, (now) => now);
  const searchKeys = useKeysOf("search");
  const [query, setQuery] = useState("");
  const answer = useSearch(hall, query);
  // Watches the tool lists of the expanded members, so that they stay up to date.
  useEffect(() => {
    const ends = [...expanded].map((member) => hall.watch(member));
    return () => ends.forEach((end) => end());
  }, [hall, expanded]);

  const state = useStore(roster.shownState, (now) => now);
  const rows = useMemo(() => {
    if (answer) return foundRows(answer.found.tools, byName);
    return treeRows(state === null ? members : members.filter(({ status }) => stateOf(status) === state), expanded, lists);
  }, [answer, byName, members, state, expanded, lists]);

  const [cursor, setCursor] = useState<{ id: string | null; index: number }>({ id: null, index: 0 });
  const active = indexOfRow(rows, cursor.id, cursor.index);
  // Stores the index of the cursor's row, so that the cursor keeps its position in the list if the row is removed.
  if (cursor.id !== null && rows[active]?.id === cursor.id && cursor.index !== active) {
    setCursor({ id: cursor.id, index: active });
  }
  const shown = shownRowId(place);

  const scroller = useRef<HTMLDivElement>(null);
  const searchField = useRef<HTMLInputElement>(null);
  const openFirst = useRef<string | null>(null);
  const typed = useRef({ letters: "", atMs: 0 });

  const withActive = useMemo(() => rangeWith(active), [active]);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => ROW_PX[rows[index]?.kind ?? "tool"],
    getItemKey: (index) => rows[index]?.id ?? index,
    rangeExtractor: withActive,
    overscan: 8,
    useFlushSync: false,
    // This size is assumed, because the first paint needs rows before the scroll container is measured.
    initialRect: { width: 300, height: window.innerHeight },
  });

  useEffect(() => {
    roster.registerSearch(() => {
      searchField.current?.focus();
      searchField.current?.select();
    });
  }, [roster]);

  const moveTo = useCallback(
    (index: number) => {
      const row = rows[index];
      if (!row) return;
      setCursor({ id: row.id, index });
      virtual.scrollToIndex(index, { align: "auto" });
    },
    [rows, virtual],
  );

  /** Handles the keys that work both in the tree and in the search field. Returns whether the key was handled. */
  function moveByKey(key: string): boolean {
    // Home and End are not handled here: in the search field they move the caret, and the tree handles them separately.
    const to = key === "Home" || key === "End" ? undefined : rowForKey(key, active, rows.length, rowsInView(scroller.current, ROW_PX.tool));
    if (to !== undefined) moveTo(to);
    else if (key === "Enter") {
      const row = rows[active];
      if (row) openRow({ navigation, roster }, row);
    } else return false;
    return true;
  }

  function onTreeKey(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const row = rows[active];
    let used = moveByKey(event.key);
    if (!used) {
      used = true;
      if (event.key === "Home") moveTo(0);
      else if (event.key === "End") moveTo(rows.length - 1);
      else if (event.key === "ArrowRight" && row?.kind === "member") {
        if (row.expanded) moveTo(Math.min(active + 1, rows.length - 1));
        else roster.setExpanded(row.view.name, true);
      } else if (event.key === "ArrowLeft") {
        if (row?.kind === "member") roster.setExpanded(row.view.name, false);
        else moveTo(parentIndex(rows, active));
      } else if (event.key === " " && row?.kind === "member") {
        roster.setExpanded(row.view.name, !row.expanded);
      } else if (event.key.length === 1 && event.key !== " " && event.key !== "/") {
        const now = event.timeStamp;
        const fresh = now - typed.current.atMs > TYPE_AHEAD_MS;
        const letters = (fresh ? "" : typed.current.letters) + event.key;
        typed.current = { letters, atMs: now };
        const found = typeAhead(rows, active, letters);
        if (found >= 0) moveTo(found);
      } else used = false;
    }
    if (used) event.preventDefault();
  }

  function onSearchKey(event: KeyboardEvent<HTMLInputElement>): void {
    if (event.key === "Escape" && query !== "") {
      setQuery("");
      event.stopPropagation();
    } else if (event.key === "ArrowDown" && !answer) {
      scroller.current?.focus();
      event.preventDefault();
    } else if (event.nativeEvent.isComposing || event.ctrlKey || event.metaKey) {
      return;
    } else if (event.key === "Enter" && answer?.query !== query.trim()) {
      openFirst.current = query.trim();
    } else if (answer && moveByKey(event.key)) event.preventDefault();
  }

  // If Enter was pressed before the search responded, the best match is opened when the response arrives.
  useEffect(() => {
    const first = rows[0];
    if (!answer || openFirst.current !== answer.query) return;
    openFirst.current = null;
    if (first) openRow({ navigation, roster }, first);
  }, [answer, navigation, roster, rows]);

  const onRowClick = useCallback(
    (row: Row, index: number, times: number) => {
      setCursor({ id: row.id, index });
      // A double click expands the member, so the second click must not collapse it again.
      if (times > 1) {
        if (row.kind === "member") roster.setExpanded(row.view.name, true);
        return;
      }
      if (row.kind === "member" && row.id === shown) roster.setExpanded(row.view.name, !row.expanded);
      else if (row.kind === "tool") navigation.fillTool(row.tool.member, row.tool.name);
      else openRow({ navigation, roster }, row);
    },
    [roster, navigation, shown],
  );

  // When a page is opened from elsewhere, its row is scrolled into view as soon as the row exists.
  const inSight = useRef<string | null>(null);
  useEffect(() => {
    if (shown === inSight.current || answer) return;
    const index = rows.findIndex(({ id }) => id === shown);
    if (index < 0) return;
    inSight.current = shown;
    virtual.scrollToIndex(index, { align: "auto" });
  }, [shown, rows, answer, virtual]);

  const [menuRow, setMenuRow] = useState<Row | null>(null);
  /** The context menu acts on the row at the pointer, or on the row of the cursor if a key opened the menu. */
  const onMenu = (event: MouseEvent) => {
    const at = event.target instanceof Element ? event.target.closest<HTMLElement>("[data-index]")?.dataset["index"] : undefined;
    const row = rows[at === undefined ? active : Number(at)];
    setMenuRow(row ?? null);
    if (row === undefined || row.kind === "note") event.preventDefault();
  };

  const activeDom = active >= 0 ? rowDomId(active) : undefined;
  return (
    <section aria-label={frame.roster} data-region className="@container flex min-h-0 flex-1 flex-col short:min-h-[80vh] @max-[100px]/side:hidden">
      <RosterHead />
      <div className="relative mx-2 mb-1.5 flex shrink-0 items-center">
        <Icon of={SIGNS.search} className="pointer-events-none absolute start-2 text-faint" />
        <input
          ref={searchField}
          type="search"
          role="combobox"
          aria-label="Search all tools"
          aria-expanded={answer !== null}
          aria-controls={ROWS_ID}
          aria-autocomplete="list"
          aria-activedescendant={answer ? activeDom : undefined}
          data-testid="search"
          placeholder={frame.filterTools}
          spellCheck={false}
          autoComplete="off"
          maxLength={200}
          value={query}
          onChange={(event) => {
            openFirst.current = null;
            setQuery(event.target.value);
            setCursor({ id: null, index: 0 });
          }}
          onKeyDown={onSearchKey}
          className="h-7 w-full rounded-sm border border-line bg-bg ps-7.5 pe-8 placeholder:text-faint"
        />
        {query === "" && searchKeys !== undefined && <kbd className="pointer-events-none absolute end-2 rounded-xs border border-line px-1 font-sans text-xs leading-4 text-faint">{searchKeys}</kbd>}
      </div>
      {opened && members.length === 0 && <p className="px-3 py-2 text-dim">{frame.noMembersYet}</p>}
      {opened && members.length === 0 && <AddingLead className="mx-3 mb-2 self-start" />}
      {opened && members.length === 0 && found > 0 && <FoundLead className="mx-3 mb-2 self-start" />}
      {state !== null && !answer && (
        <Button look="quiet" className="mx-2 mb-1 h-6! justify-between! bg-selected text-text!" aria-label={`Show all members, not only: ${state}`} onClick={() => roster.shownState.set(null)}>
          {rows.length === 0 ? `No members are ${state}` : `Only ${state} members`}
          <Icon of={SIGNS.close} size={14} />
        </Button>
      )}
      {answer && <SearchSummary shown={answer.found.tools.length} total={answer.found.total} />}
      <PointerMenu items={menuRow ? menuItems({ desktop, hall, managing, navigation, spoken }, menuRow, byName) : []}>
        <div
          ref={scroller}
          id={ROWS_ID}
          role={answer ? "listbox" : "tree"}
          aria-label={answer ? "Tools found" : "Members and their tools"}
          aria-activedescendant={activeDom}
          tabIndex={0}
          data-testid="roster"
          data-viewport
          onKeyDown={onTreeKey}
          onContextMenu={onMenu}
          className="group min-h-0 flex-1 overflow-x-hidden overflow-y-auto has-data-active:outline-none pb-2"
        >
          <div role="presentation" className="relative" style={{ height: virtual.getTotalSize() }}>
            {virtual.getVirtualItems().map((item) => {
              const row = rows[item.index];
              if (!row) return null;
              return (
                <RosterRow
                  key={item.key}
                  index={item.index}
                  domId={rowDomId(item.index)}
                  row={row}
                  top={item.start}
                  active={item.index === active}
                  shown={row.id === shown}
                  onClick={onRowClick}
                />
              );
            })}
          </div>
        </div>
      </PointerMenu>
    </section>
  );
}

function SearchSummary({ shown, total }: { shown: number; total: number }) {
  const spoken = useSpoken();
  const summary = total === 0 ? "No matching tools" : shown < total ? `The best ${shown} of ${number(total)}` : `${number(total)} found`;
  useEffect(() => spoken.set(summary), [spoken, summary]);
  return <p data-testid="roster-summary" className="px-3 pb-1 text-sm text-dim">{summary}</p>;
}
