/* oxlint-disable jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- options are
   not Tab stops: the list has the focus, and its keys move the active one */
import { memo, type MouseEvent } from "react";

import type { HistoryEntry } from "../bridge/bindings";
import { Sign } from "../parts/Icon";
import { ago, duration } from "../words/time";
import { callerOf, callerWord, entryFace } from "./outcome";

export const ROW_PX = 44;

interface Props {
  readonly id: string;
  readonly entry: HistoryEntry;
  readonly top: number;
  /** Its place in the list, from 1. */
  readonly place: number;
  /** The total number of calls; -1 if unknown. */
  readonly among: number;
  readonly active: boolean;
  readonly opened: boolean;
  readonly marked: boolean;
  readonly nowMs: number;
  readonly onPress: (entry: HistoryEntry) => void;
  readonly onMark: (entry: HistoryEntry) => void;
}

export const CallRow = memo(function CallRow(props: Props) {
  const { id, entry, top, place, among, active, opened, marked, nowMs, onPress, onMark } = props;
  const face = entryFace(entry);
  const caller = callerOf(entry);
  const press = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey) onMark(entry);
    else onPress(entry);
  };
  return (
    <div
      id={id}
      role="option"
      aria-selected={marked}
      aria-current={opened}
      aria-posinset={place}
      aria-setsize={among}
      onClick={press}
      className={`absolute top-0 start-0 flex w-full items-center gap-3 border-b border-line px-3 whitespace-nowrap ${
        opened ? "bg-selected" : active ? "bg-hover" : "hover:bg-hover"
      } ${active ? "shadow-[inset_2px_0_0_var(--accent)]" : ""}`}
      style={{ height: ROW_PX, transform: `translateY(${top}px)` }}
    >
      {marked && <Sign of="check" className="shrink-0 text-accent" />}
      <span className="shrink-0">
        <Sign of={face.shape} className={face.colour} />
        <span className="sr-only">{face.word}</span>
      </span>
      <span className="flex w-44 shrink-0 flex-col leading-4 @max-md:w-auto @max-md:min-w-16 @max-md:flex-1">
        <bdi className="truncate font-medium">{entry.tool}</bdi>{" "}
        <bdi className="truncate text-sm text-dim">{entry.member}</bdi>
      </span>
      <bdi className="min-w-0 flex-1 truncate font-mono text-sm text-dim @max-md:hidden">{entry.summary}</bdi>
      <bdi className="w-24 shrink-0 truncate text-dim @max-lg:hidden">{caller ?? callerWord("window")}</bdi>
      <span className="w-20 shrink-0 truncate text-end text-dim @max-sm:hidden">{ago(entry.atMs, nowMs)}</span>
      <span className="w-16 shrink-0 text-end text-dim tabular-nums">{duration(entry.durationMs)}</span>
    </div>
  );
});
