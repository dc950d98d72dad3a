/**
 * Calls that were kept under a name: each is opened into its form, run, renamed in its place or
 * removed. A grid: one row at a time is in the Tab order, and arrows go to the others.
 */
import { useEffect, useRef, useState, type KeyboardEvent } from "react";

import { PART_KEYS } from "../app/actionKeys";
import { useHouse } from "../app/house";
import { useKeysOf } from "../app/useKeysOf";
import type { ArgumentCheck, MemberName, SavedCall, ToolName } from "../bridge/bindings";
import { asRefusal } from "../bridge/bridge";
import { sheetKey } from "../hall/workbench";
import { Button } from "../parts/Button";
import { Sign } from "../parts/Icon";
import { drawNow } from "../parts/drawNow";
import { useSlow } from "../parts/useSlow";
import { ConfirmSend } from "../tool/ConfirmSend";
import { number } from "../words/format";
import { keyLabel } from "../words/keys";
import { toTheMinute } from "../words/time";
import { NameForm } from "./NameForm";
import { openSaved, runAgain, useRefused, whyNotAgain } from "./runAgain";
import { HistoryTrouble } from "./HistoryTrouble";
import { useSaved } from "./useSaved";

/** Maximum number listed; the rest is found by searching. */
const SHOWN_MAX = 200;

interface Props {
  readonly member: MemberName | null;
  readonly tool: ToolName | null;
  /** Only those whose name, member or tool has these words. */
  readonly query?: string;
  /** Whether it is what the dock shows, and so takes its focus. */
  readonly lendsFocus?: boolean;
  /** Whether nothing at all is drawn while there are none. */
  readonly hiddenWhenEmpty?: boolean;
}

function isFound({ name, member, tool }: SavedCall, sought: readonly string[]): boolean {
  const text = `${name} ${member} ${tool}`.toLowerCase();
  return sought.every((word) => text.includes(word));
}

export function SavedList({ member, tool, query = "", lendsFocus = false, hiddenWhenEmpty = false }: Props) {
  const { dock } = useHouse();
  const saved = useSaved(member, tool);
  const slow = useSlow(saved === null);
  const [active, setActive] = useState<number | null>(null);
  const keys = useKeysOf("save-call");
  const list = useRef<HTMLDivElement>(null);
  const sought = query.toLowerCase().split(/\s+/).filter(Boolean);
  const found = (saved?.calls ?? []).filter((call) => isFound(call, sought));
  const shown = found.slice(0, SHOWN_MAX);
  const current = shown.some(({ id }) => id === active) ? active : (shown[0]?.id ?? null);

  const any = shown.length > 0;
  useEffect(() => {
    if (!lendsFocus || !any) return undefined;
    return dock.lendFocus(() => list.current?.querySelector<HTMLElement>("[data-name][tabindex='0']")?.focus());
  }, [dock, lendsFocus, any]);

  const focusRow = (index: number) => {
    const call = shown[Math.min(shown.length - 1, Math.max(0, index))];
    if (!call) return;
    setActive(call.id);
    list.current?.querySelector<HTMLElement>(`[data-name="${call.id}"]`)?.focus();
  };

  if (saved === null) return slow ? <p role="status" className="p-3 text-dim">Reading the saved calls…</p> : null;
  if (saved.trouble !== null) return <HistoryTrouble report={saved.trouble} />;
  if (saved.calls.length === 0) {
    return hiddenWhenEmpty ? null : (
      <div className="p-4" data-testid="saved-empty">
        <p>No call was saved yet.</p>
        <p className="text-dim">{keys === undefined ? "“Save” in a tool keeps its arguments under a name." : `Press ${keys} in a tool to keep its arguments under a name.`}</p>
      </div>
    );
  }
  if (shown.length === 0) return <p className="p-4 text-dim">No saved call has these words.</p>;
  return (
    <>
      <div ref={list} role="grid" aria-label="Saved calls" aria-rowcount={saved.more ? -1 : found.length}>
        {shown.map((call, index) => (
          <SavedRow
            key={call.id}
            call={call}
            withTool={tool === null}
            withMember={member === null}
            inTabOrder={call.id === current}
            onActive={() => setActive(call.id)}
            onMove={(step) => focusRow(index + step)}
            onEdge={(end) => focusRow(end ? shown.length - 1 : 0)}
            onLeave={() => {
              if (shown.length > 1) focusRow(index + 1 < shown.length ? index + 1 : index - 1);
              else if (lendsFocus) dock.focusTab();
            }}
          />
        ))}
      </div>
      {(found.length > shown.length || saved.more) && (
        <p className="px-3 py-1 text-sm text-dim">The first {number(shown.length)} are listed; the others are found by words.</p>
      )}
    </>
  );
}

interface RowProps {
  readonly call: SavedCall;
  readonly withTool: boolean;
  readonly withMember: boolean;
  readonly inTabOrder: boolean;
  readonly onActive: () => void;
  readonly onMove: (step: number) => void;
  readonly onEdge: (end: boolean) => void;
  /** Takes the focus to another row, before this one goes. */
  readonly onLeave: () => void;
}

function SavedRow({ call, withTool, withMember, inTabOrder, onActive, onMove, onEdge, onLeave }: RowProps) {
  const house = useHouse();
  const { history, hall, desk, spoken } = house;
  const [doing, setDoing] = useState<"rename" | ArgumentCheck | null>(null);
  const name = useRef<HTMLButtonElement>(null);
  const row = useRef<HTMLDivElement>(null);
  const tabIndex = inTabOrder ? 0 : -1;
  const key = sheetKey(call.member, call.tool);

  const open = () => openSaved(house, call);
  const refused = useRefused(house, call);
  const run = async (check: ArgumentCheck) => {
    try {
      const detail = await hall.toolDetail(call.member, call.tool);
      if (detail.summary.hints.destructive === true && !desk.trusted.get().has(key)) setDoing(check);
      else runAgain(house, call, check);
    } catch (reason) {
      hall.tell(asRefusal(reason).report);
    }
  };
  const remove = () => {
    onLeave();
    history.saved.remove(call);
    spoken.set(`${call.name} was removed. It can be undone for a few seconds.`);
  };
  const done = () => {
    setDoing(null);
    drawNow();
    name.current?.focus();
  };
  /** Goes to another button of the row. */
  const moveInside = (step: number) => {
    const buttons = [...(row.current?.querySelectorAll("button") ?? [])];
    const here = buttons.findIndex((button) => button === document.activeElement);
    buttons[Math.min(buttons.length - 1, Math.max(0, here + step))]?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || doing !== null) return;
    const keys: Partial<Record<string, () => void>> = {
      ArrowDown: () => onMove(1),
      ArrowUp: () => onMove(-1),
      ArrowRight: () => moveInside(1),
      ArrowLeft: () => moveInside(-1),
      Home: () => onEdge(false),
      End: () => onEdge(true),
      Delete: remove,
      F2: () => setDoing("rename"),
    };
    const act = keys[event.key];
    if (!act) return;
    event.preventDefault();
    // A key that is held would empty the list.
    if (event.key === "Delete" && event.repeat) return;
    act();
  };
  return (
    // The row's buttons hear the keys by way of it.
    <div ref={row} role="row" onKeyDown={onKeyDown} onFocus={onActive} className="border-b border-line px-2 py-0.5">
      <div role="gridcell">
        {doing === "rename" ? (
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
              title="Open it in the form"
              className="min-w-0 flex-1 truncate rounded-sm px-1 text-start hover:bg-hover"
              onClick={open}
            >
              <bdi className="font-medium">{call.name}</bdi>{" "}
              {withTool && (
                <span className="text-dim">
                  {withMember && <bdi>{call.member} › </bdi>}
                  <bdi>{call.tool}</bdi>
                </span>
              )}{" "}
              {call.masked.length > 0 && <span className="text-sm text-warn"><Sign of="warning" className="me-1" />secrets to fill in</span>}
            </button>
            <span className="text-sm text-faint max-narrow:hidden" title="When it was saved">{toTheMinute(call.savedAtMs)}</span>
            <Button tabIndex={tabIndex} unavailable={whyNotAgain(call.masked, undefined)} aria-label={`Run ${call.name}`} onClick={() => void run("refuse")}>
              <Sign of="play" className="me-1" />Run
            </Button>
            {refused && call.masked.length === 0 && (
              <Button tabIndex={tabIndex} aria-label={`Send ${call.name} anyway`} title="Without a check against the tool's schema" onClick={() => void run("send-anyway")}>
                Send anyway
              </Button>
            )}
            <Button look="quiet" tabIndex={tabIndex} aria-label={`Rename ${call.name}`} title={keyLabel(PART_KEYS.rename)} onClick={() => setDoing("rename")}>
              Rename
            </Button>
            <Button look="quiet" tabIndex={tabIndex} aria-label={`Remove ${call.name}`} title={keyLabel(PART_KEYS.remove)} onClick={remove}>
              Remove
            </Button>
          </div>
        )}
        {doing !== null && doing !== "rename" && (
          <ConfirmSend
            member={call.member}
            tool={call.tool}
            asked={{ text: call.arguments, check: doing, timeoutMs: null }}
            onSend={(always) => {
              if (always) desk.trust(key);
              setDoing(null);
              runAgain(house, call, doing);
            }}
            onLeave={done}
          />
        )}
      </div>
    </div>
  );
}
