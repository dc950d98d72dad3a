/**
 * The saved calls. The user can open a call in its tool's form, run, rename or delete it. One row of this grid
 * is in the Tab order. The arrow keys move the focus to other rows.
 */
import { useEffect, useRef, useState, type KeyboardEvent, type RefObject } from "react";

import { useHall } from "../../lib/hall/hall";
import { PART_KEYS } from "../../lib/keys/actionKeys";
import { useKeysOf } from "../../lib/keys/useKeysOf";
import type { ArgumentCheck, SavedCall } from "../../ipc/bindings";
import { asRefusal } from "../../ipc/bridge";
import { useNavigation } from "../../lib/navigation/navigation";
import { useWorkbench } from "../tool/workbench";
import { Badge } from "../../components/Badge";
import { Button } from "../../components/Button";
import { Sign } from "../../components/Icon";
import { drawNow } from "../../lib/drawNow";
import { EmptyState } from "../../components/EmptyState";
import { IconButton } from "../../components/IconButton";
import { Menu } from "../../components/Menu";
import { Reading } from "../../components/Reading";
import { SearchField } from "../../components/SearchField";
import { Tooltip } from "../../components/Tooltip";
import { number } from "../../lib/format";
import { keyLabel } from "../../lib/keys/keyLabel";
import { toTheMinute } from "../../lib/time";
import { NameForm } from "./NameForm";
import { useCallHistory } from "./callHistory";
import { openSaved, useRepeat, whyNotAgain } from "./runAgain";
import { HistoryErrorReport } from "./HistoryErrorReport";
import { useSaved } from "./useSaved";

/** Maximum number of calls in the list. The user finds other calls with the search. */
const SHOWN_MAX = 200;

interface Props {
  /** Whether the first row takes the focus once the calls are read. The list then resets the ref. */
  readonly takesFocusRef: RefObject<boolean>;
}

function isFound({ name, member, tool }: SavedCall, sought: readonly string[]): boolean {
  const text = `${name} ${member} ${tool}`.toLowerCase();
  return sought.every((word) => text.includes(word));
}

/** The Saved tab: a search field above the list of all saved calls. */
export function SavedTab({ takesFocusRef }: Props) {
  const [query, setQuery] = useState("");
  return (
    <div className="flex min-h-0 flex-1 flex-col" data-testid="saved-panel">
      <div className="flex min-h-12 shrink-0 items-center border-b border-line px-5">
        <SearchField label="Search saved calls" placeholder="Search saved calls…" value={query} onValue={setQuery} className="w-full max-w-64" />
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto">
        <SavedList {...{ query, takesFocusRef }} />
      </div>
    </div>
  );
}

/** The list of the saved calls whose name, member or tool contains each word of `query`. */
function SavedList({ query, takesFocusRef }: Props & { readonly query: string }) {
  const saved = useSaved(null, null);
  const [active, setActive] = useState<number | null>(null);
  const keys = useKeysOf("save-call");
  const list = useRef<HTMLDivElement>(null);
  const sought = query.toLowerCase().split(/\s+/).filter(Boolean);
  const found = (saved?.calls ?? []).filter((call) => isFound(call, sought));
  const shown = found.slice(0, SHOWN_MAX);
  const current = shown.some(({ id }) => id === active) ? active : (shown[0]?.id ?? null);

  const isRead = saved !== null;
  useEffect(() => {
    if (!isRead || !takesFocusRef.current) return;
    takesFocusRef.current = false;
    list.current?.querySelector<HTMLElement>("[data-name][tabindex='0']")?.focus();
  }, [isRead, takesFocusRef]);

  const focusRow = (index: number) => {
    const call = shown[Math.min(shown.length - 1, Math.max(0, index))];
    if (!call) return;
    setActive(call.id);
    list.current?.querySelector<HTMLElement>(`[data-name="${call.id}"]`)?.focus();
  };

  if (saved === null) return <Reading what="the saved calls" />;
  if (saved.trouble !== null) return <HistoryErrorReport report={saved.trouble} />;
  if (saved.calls.length === 0) {
    return (
      <div data-testid="saved-empty">
        <EmptyState icon="bookmark" title="No saved calls">
          Save a tool's arguments under a name{keys !== undefined && ` with ${keys}`}. Saved calls appear here.
        </EmptyState>
      </div>
    );
  }
  if (shown.length === 0) return <EmptyState icon="search" title="No matching saved calls" />;
  return (
    <>
      <div ref={list} role="grid" aria-label="Saved calls" aria-rowcount={saved.more ? -1 : found.length}>
        {shown.map((call, index) => (
          <SavedRow
            key={call.id}
            call={call}
            inTabOrder={call.id === current}
            onActive={() => setActive(call.id)}
            onMove={(step) => focusRow(index + step)}
            onEdge={(end) => focusRow(end ? shown.length - 1 : 0)}
            onLeave={() => {
              if (shown.length > 1) focusRow(index + 1 < shown.length ? index + 1 : index - 1);
              else document.querySelector<HTMLElement>('main [role="tab"][data-state="active"]')?.focus();
            }}
          />
        ))}
      </div>
      {(found.length > shown.length || saved.more) && (
        <p className="px-5 py-2 text-sm text-dim">Showing the first {number(shown.length)}. Search to find the others.</p>
      )}
    </>
  );
}

interface RowProps {
  readonly call: SavedCall;
  readonly inTabOrder: boolean;
  readonly onActive: () => void;
  readonly onMove: (step: number) => void;
  readonly onEdge: (end: boolean) => void;
  /** Called before the row is removed, to move the focus to another row. */
  readonly onLeave: () => void;
}

function SavedRow({ call, inTabOrder, onActive, onMove, onEdge, onLeave }: RowProps) {
  const history = useCallHistory();
  const hall = useHall();
  const bench = useWorkbench();
  const navigation = useNavigation();
  const [renaming, setRenaming] = useState(false);
  const name = useRef<HTMLButtonElement>(null);
  const row = useRef<HTMLDivElement>(null);
  const tabIndex = inTabOrder ? 0 : -1;

  const open = () => openSaved({ bench, navigation }, call);
  const run = async (check: ArgumentCheck) => {
    try {
      repeat(await hall.toolDetail(call.member, call.tool), check);
    } catch (reason) {
      hall.tell(asRefusal(reason).report);
    }
  };
  const remove = () => {
    onLeave();
    history.saved.remove(call, () => requestAnimationFrame(() => document.querySelector<HTMLElement>(`[data-name="${call.id}"]`)?.focus()));
  };
  const done = () => {
    setRenaming(false);
    drawNow();
    name.current?.focus();
  };
  const { repeat, confirmation, refused } = useRepeat(call, done);
  /** Moves the focus to another button of the row: `step` buttons forward. */
  const moveInside = (step: number) => {
    const buttons = [...(row.current?.querySelectorAll("button") ?? [])];
    const here = buttons.findIndex((button) => button === document.activeElement);
    buttons[Math.min(buttons.length - 1, Math.max(0, here + step))]?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || renaming || confirmation) return;
    const keys: Partial<Record<string, () => void>> = {
      ArrowDown: () => onMove(1),
      ArrowUp: () => onMove(-1),
      ArrowRight: () => moveInside(1),
      ArrowLeft: () => moveInside(-1),
      Home: () => onEdge(false),
      End: () => onEdge(true),
      Delete: remove,
      F2: () => setRenaming(true),
    };
    const act = keys[event.key];
    if (!act) return;
    event.preventDefault();
    // Ignore key repeats: holding the key would delete one call after another.
    if (event.key === "Delete" && event.repeat) return;
    act();
  };
  return (
    // The row handles key events that bubble up from its buttons.
    <div ref={row} role="row" onKeyDown={onKeyDown} onFocus={onActive} className="border-b border-line px-5 py-1.5 hover:bg-hover">
      <div role="gridcell">
        {renaming ? (
          <NameForm
            label={`New name of ${call.name}`}
            first={call.name}
            verb="Rename"
            onName={async (text) => {
              await history.saved.rename(call, text);
              return null;
            }}
            onDone={done}
            onLeave={done}
          />
        ) : (
          <div className="flex min-w-0 flex-wrap items-center gap-x-2">
            <button
              ref={name}
              type="button"
              data-name={call.id}
              tabIndex={tabIndex}
              className="flex min-w-0 flex-1 flex-col rounded-sm px-1 text-start leading-4.5"
              onClick={open}
            >
              <span className="flex max-w-full items-center gap-2">
                <bdi className="truncate font-medium">{call.name}</bdi>{" "}
                {call.masked.length > 0 && <Badge tone="warn" icon="key">Needs secrets</Badge>}
              </span>{" "}
              <span className="max-w-full truncate text-sm text-dim"><bdi>{call.member} › </bdi><bdi>{call.tool}</bdi></span>
            </button>
            <Tooltip text="Saved on"><span className="text-sm text-faint max-narrow:hidden">{toTheMinute(call.savedAtMs)}</span></Tooltip>
            <Button tabIndex={tabIndex} unavailable={whyNotAgain(call.masked, undefined)} aria-label={`Run ${call.name}`} onClick={() => void run("refuse")}>
              <Sign of="play" />Run
            </Button>
            {refused && call.masked.length === 0 && (
              <Button tabIndex={tabIndex} aria-label={`Run ${call.name} without validation`} onClick={() => void run("send-anyway")}>
                Run without validation
              </Button>
            )}
            <Menu
              items={[
                { label: "Open in form", icon: "wrench", onSelect: open },
                { label: "Rename", icon: "pencil", keys: keyLabel(PART_KEYS.rename), onSelect: () => setRenaming(true) },
                "line",
                { label: "Delete", icon: "trash", danger: true, keys: keyLabel(PART_KEYS.remove), onSelect: remove },
              ]}
            >
              <IconButton icon="more" tabIndex={tabIndex} label={`More actions for ${call.name}`} title="More actions" />
            </Menu>
          </div>
        )}
        {confirmation}
      </div>
    </div>
  );
}
