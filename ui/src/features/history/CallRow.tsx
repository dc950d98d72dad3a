/* oxlint-disable jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus, jsx-a11y/no-static-element-interactions --
   options are not Tab stops: the list has the focus, and the arrow keys change the active option */
import { memo, type MouseEvent } from "react";

import type { HistoryEntry } from "../../ipc/bindings";
import { Sign } from "../../components/Icon";
import { useToolTitle } from "../../lib/hall/useToolTitle";
import { duration, toTheMinute } from "../../lib/time";
import { callerOf, entryFace } from "./outcome";

export const ROW_PX = 44;
/** CSS classes of the table's columns. A narrow list hides the caller, a very narrow one also arguments and time. */
export const COLUMNS =
  "grid items-center gap-x-3 px-5 whitespace-nowrap grid-cols-[16px_minmax(0,152px)_minmax(0,1fr)_88px_76px_64px] @max-2xl:grid-cols-[16px_minmax(0,152px)_minmax(0,1fr)_72px_60px] @max-md:grid-cols-[16px_minmax(0,1fr)_60px]";

interface Props {
  readonly id: string;
  readonly entry: HistoryEntry;
  readonly top: number;
  /** The call's position in the list, from 1. */
  readonly place: number;
  /** The total number of calls; -1 if unknown. */
  readonly among: number;
  readonly active: boolean;
  readonly opened: boolean;
  readonly selected: boolean;
  /** Today's date, such as `2026-11-21`. */
  readonly today: string;
  readonly onPress: (entry: HistoryEntry) => void;
  readonly onSelect: (entry: HistoryEntry) => void;
}

export const CallRow = memo(function CallRow(props: Props) {
  const { id, entry, top, place, among, active, opened, selected, today, onPress, onSelect } = props;
  const face = entryFace(entry);
  const title = useToolTitle(entry.member, entry.tool);
  const at = toTheMinute(entry.atMs);
  const press = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey) onSelect(entry);
    else onPress(entry);
  };
  const select = (event: MouseEvent) => {
    event.stopPropagation();
    onSelect(entry);
  };
  return (
    <div
      id={id}
      role="option"
      aria-selected={selected}
      aria-current={opened}
      aria-posinset={place}
      aria-setsize={among}
      onClick={press}
      className={`group absolute top-0 start-0 w-full border-b border-line ${COLUMNS} ${
        opened || selected ? "bg-selected" : active ? "bg-hover" : "hover:bg-hover"
      } ${active ? "-outline-offset-2 outline-accent group-focus-visible/list:outline-2" : ""}`}
      style={{ height: ROW_PX, transform: `translateY(${top}px)` }}
    >
      <span className="inline-flex h-full items-center" onClick={select}>
        <span className={`size-4 items-center justify-center rounded-xs border ${selected ? "inline-flex border-solid bg-solid text-solid-text" : "hidden border-control group-hover:inline-flex"}`}>
          {selected && <Sign of="check" />}
        </span>
        <span className={selected ? "sr-only" : "group-hover:sr-only"}>
          <Sign of={face.shape} className={face.colour} />
          <span className="sr-only">{face.word}</span>
        </span>
      </span>
      <span className="flex min-w-0 flex-col leading-4.5">
        <bdi className="truncate font-medium">{title}</bdi>{" "}
        <bdi className="truncate text-sm text-dim">{entry.member}</bdi>
      </span>
      <bdi className="truncate font-mono text-sm text-dim @max-md:hidden">{entry.summary}</bdi>
      <bdi className="truncate text-sm text-dim @max-2xl:hidden">{callerOf(entry)}</bdi>
      <span className="truncate text-end text-sm text-dim tabular-nums @max-md:hidden">{at.startsWith(today) ? at.slice(today.length + 1) : at.slice(0, today.length)}</span>
      <span className="text-end text-sm text-dim tabular-nums">{duration(entry.durationMs)}</span>
    </div>
  );
});
