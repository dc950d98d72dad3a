/* oxlint-disable jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- options are not Tab
   stops: the text field has the focus, and its key handler moves the active option */
import { Fragment, memo, type ReactNode } from "react";

import type { Entry } from "./entry";
import { Sign } from "../../components/Icon";
import { ROW_PX, type Row } from "./rows";

interface Props {
  id: string;
  row: Row;
  index: number;
  top: number;
  /** The total number of entries. */
  count: number;
  active: boolean;
  onChoose: (entry: Entry) => void;
  onPoint: (index: number) => void;
}

const PLACE = "absolute top-0 start-1 end-1 flex items-center px-2.5";

export const PaletteRow = memo(function PaletteRow({ id, row, index, top, count, active, onChoose, onPoint }: Props) {
  const style = { height: ROW_PX, transform: `translateY(${top}px)` };
  if (row.kind === "head") {
    return (
      <div role="presentation" style={style} className={`${PLACE} pt-1 text-sm font-medium text-dim`}>
        {row.title}
      </div>
    );
  }
  const { entry, position } = row;
  const blocked = entry.unavailable !== undefined;
  return (
    <div
      id={id}
      role="option"
      aria-selected={active}
      aria-disabled={blocked}
      aria-setsize={count}
      aria-posinset={position}
      style={style}
      onClick={() => onChoose(entry)}
      // The event is `pointermove` instead of `pointerenter`, so that an entry that scrolls under a resting pointer is
      // not selected.
      onPointerMove={active ? undefined : () => onPoint(index)}
      className={`${PLACE} gap-2.5 rounded-sm ${active ? "bg-selected" : ""}`}
    >
      <Sign of={entry.icon} className={entry.iconColor ?? (active ? "text-accent" : "text-faint")} />
      <span className="min-w-0 flex-1 truncate">
        <bdi className={blocked ? "text-dim" : ""}>{marked(entry)}</bdi>{" "}
        {entry.detail !== "" && <bdi className="text-sm text-dim">{entry.detail}</bdi>}
      </span>
      {blocked && <span data-testid="palette-blocked" className="min-w-0 shrink truncate text-sm text-dim">{entry.unavailable}</span>}
      {entry.end?.()}
    </div>
  );
});

/** The label of an entry, with the matching letters in bold. */
function marked({ label, at }: Entry): ReactNode {
  if (at.length === 0) return label;
  const places = new Set(at);
  const parts: { text: string; hit: boolean }[] = [];
  for (let index = 0; index < label.length; index += 1) {
    const hit = places.has(index);
    const last = parts.at(-1);
    if (last?.hit === hit) last.text += label.charAt(index);
    else parts.push({ text: label.charAt(index), hit });
  }
  return parts.map(({ text, hit }, index) =>
    hit ? (
      <b key={index} className="font-semibold text-accent">
        {text}
      </b>
    ) : (
      <Fragment key={index}>{text}</Fragment>
    ),
  );
}
