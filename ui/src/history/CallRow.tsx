/* oxlint-disable jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus --
   options are no Tab stops: the list has the focus, and its keys move the active one */
import { memo, type MouseEvent } from "react";

import type { HistoryEntry } from "../bridge/bindings";
import { Sign } from "../parts/Icon";
import { sizeWord } from "../results/content";
import { ago, duration, moment } from "../words/time";
import { callerOf, entryFace } from "./outcome";

export const ROW_PX = 26;

interface Props {
  readonly id: string;
  readonly entry: HistoryEntry;
  readonly top: number;
  /** Its place in the list, from 1. */
  readonly place: number;
  /** How many there are; -1 while nobody knows. */
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
      className={`absolute top-0 start-0 flex w-full items-center gap-3 border-s-2 px-2 whitespace-nowrap ${
        active ? "border-accent" : "border-transparent"
      } ${opened ? "bg-selected" : active ? "bg-hover" : "hover:bg-hover"}`}
      style={{ height: ROW_PX, transform: `translateY(${top}px)` }}
    >
      <span className="w-4 shrink-0 text-center text-accent" aria-hidden={!marked} title={marked ? "Marked to be compared" : undefined}>
        {marked ? "☑" : ""}
      </span>
      <span className="w-30 shrink-0 truncate @max-lg:w-24 @max-sm:w-20 @max-3xs:w-4" title={face.word}>
        <Sign of={face.shape} className={`me-1 ${face.colour}`} /><span className="@max-3xs:sr-only">{face.word}</span>
      </span>
      <span className="w-24 shrink-0 truncate text-dim @max-lg:w-20 @max-3xs:hidden" title={moment(entry.atMs)}>
        {ago(entry.atMs, nowMs)}
      </span>
      <span className="max-w-[45%] min-w-16 shrink truncate @max-2xl:max-w-none @max-2xl:flex-1" title={`${entry.member} › ${entry.tool}`}>
        <bdi className="text-dim">{entry.member}</bdi> <span aria-hidden className="text-faint">›</span>{" "}
        <bdi>{entry.tool}</bdi>
      </span>
      <bdi className="min-w-0 flex-1 truncate font-mono text-sm text-dim @max-2xl:hidden" title={entry.summary}>
        {entry.summary}
      </bdi>
      {caller !== null && (
        <bdi className="max-w-[20%] min-w-8 truncate rounded-sm border border-line px-1 text-sm text-dim @max-md:hidden" title={caller}>{caller}</bdi>
      )}
      <span className="w-16 shrink-0 text-end text-dim tabular-nums @max-sm:hidden">{duration(entry.durationMs)}</span>
      <span className="w-16 shrink-0 text-end text-dim tabular-nums @max-lg:hidden">
        {entry.size === 0 ? "" : sizeWord(entry.size)}
      </span>
    </div>
  );
});
