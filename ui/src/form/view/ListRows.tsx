/** The items of a list: add, remove, move. */

import { useState } from "react";

import { below, type Place, useDesk } from "../desk";
import { PAGE } from "../disclosure";
import { type Draft, moved, withItems } from "../model/draft";
import { anyNode, type ArrayNode, SILENT } from "../model/node";
import { addedOf } from "../model/start";
import { BUTTON } from "./controls";
import { NodeRow } from "./NodeRow";

interface Props {
  readonly node: ArrayNode;
  readonly draft: Draft;
  readonly place: Place;
  readonly label: string;
}

const SURPLUS = anyNode(SILENT, "The schema allows no item here.");

/** Which item of a list a pointer leads into; -1 when it leads elsewhere. */
function itemOf(pointer: string | null, list: string): number {
  if (pointer?.startsWith(`${list}/`) !== true) return -1;
  const index = Number(pointer.slice(list.length + 1).split("/")[0]);
  return Number.isInteger(index) ? index : -1;
}

export function ListRows({ node, draft, place, label }: Props) {
  const desk = useDesk();
  const [pages, setPages] = useState(1);
  const items = draft.kind === "array" ? draft.items : [];
  const next = (node.slots[items.length] ?? node.item)?.();
  const asked = itemOf(desk.revealed, place.pointer) + 1;
  const shown = items.slice(0, Math.max(pages * PAGE, asked));

  const change = (make: (items: readonly Draft[]) => readonly Draft[]) => {
    desk.edit(place, (old) => withItems(old, make(old.kind === "array" ? old.items : [])));
  };
  const rearrange = (make: (items: readonly Draft[]) => readonly Draft[]) => {
    change(make);
    desk.forgetBelow(place.pointer);
  };
  const add = () => {
    if (next === undefined) return;
    const index = items.length;
    change((held) => [...held, addedOf(next)]);
    desk.setOpen(place.pointer, true);
    desk.setOpen(below(place, index).pointer, true);
  };
  return (
    <>
      {shown.map((item, index) => (
        <NodeRow
          key={index}
          node={(node.slots[index] ?? node.item)?.() ?? SURPLUS}
          draft={item}
          place={below(place, index)}
          label={`[${index}]`}
          required={false}
          kept
          actions={
            <>
              <button
                type="button"
                className={BUTTON}
                disabled={index === 0}
                aria-label={`Move ${label}[${index}] up`}
                onClick={() => rearrange((held) => moved(held, index, index - 1))}
              >
                ↑
              </button>
              <button
                type="button"
                className={BUTTON}
                disabled={index === items.length - 1}
                aria-label={`Move ${label}[${index}] down`}
                onClick={() => rearrange((held) => moved(held, index, index + 1))}
              >
                ↓
              </button>
              <button
                type="button"
                className={BUTTON}
                aria-label={`Remove ${label}[${index}]`}
                onClick={() => rearrange((held) => held.filter((_, position) => position !== index))}
              >
                ✕
              </button>
            </>
          }
        />
      ))}
      {items.length > shown.length && (
        <button type="button" className={BUTTON} onClick={() => setPages(pages + 1)}>
          show more items ({items.length - shown.length})
        </button>
      )}
      {next !== undefined && (
        <button
          type="button"
          className={BUTTON}
          aria-label={`Add an item to ${label}`}
          onClick={add}
        >
          + item
        </button>
      )}
    </>
  );
}
