/** The rows of a list's items, and the button that adds an item. */

import { useMemo, useState } from "react";

import { Button } from "../../../components/Button";
import { Sign } from "../../../components/Icon";
import { number } from "../../../lib/format";
import { below, type Marks, type Place, useFormCommands } from "../commands";
import { pageOf } from "../disclosure";
import { type Draft, withItems } from "../model/draft";
import { anyNode, type ArrayNode, SILENT } from "../model/node";
import { addedOf } from "../model/start";
import { BUTTON } from "./controls";
import { useRow } from "./row";
import type { Part } from "./RowParts";
import { useRowKeys } from "./rowKeys";

interface Props {
  readonly node: ArrayNode;
  readonly draft: Draft;
  readonly place: Place;
  readonly marks: Marks;
  readonly label: string;
}

const SURPLUS = anyNode(SILENT, "The schema allows no item here.");

/** The index of the list item that contains the value at a pointer; -1 if the value is not in this list. */
function itemOf(pointer: string | null, list: string): number {
  if (pointer?.startsWith(`${list}/`) !== true) return -1;
  const index = Number(pointer.slice(list.length + 1).split("/")[0]);
  return Number.isInteger(index) ? index : -1;
}

export function ListRows({ node, draft, place, marks, label }: Props) {
  const NodeRow = useRow();
  const form = useFormCommands();
  const [pages, setPages] = useState(1);
  const page = pageOf(place.pointer);
  const items = draft.kind === "array" ? draft.items : [];
  const count = items.length;
  const parts = useMemo(
    () => Array.from({ length: count }, (_, index): Part => ({ kind: "item", index, count, list: place, of: label })),
    [count, place, label],
  );
  const keys = useRowKeys(items);
  const next = (node.slots[items.length] ?? node.item)?.();
  const asked = itemOf(marks.revealed, place.pointer) + 1;
  const shown = items.slice(0, Math.max(pages * page, asked));

  const add = () => {
    if (next === undefined) return;
    const { pointer } = below(place, items.length);
    form.edit(place, (old) => withItems(old, [...(old.kind === "array" ? old.items : []), addedOf(next)]));
    form.setOpen(place.pointer, true);
    form.setOpen(pointer, true);
    if (items.length >= pages * page) setPages(Math.ceil((items.length + 1) / page));
    form.focusFirst(pointer);
  };
  return (
    <>
      {shown.map((item, index) => (
        <NodeRow
          key={keys[index]}
          node={(node.slots[index] ?? node.item)?.() ?? SURPLUS}
          draft={item}
          place={below(place, index)}
          marks={marks}
          label={`[${index}]`}
          required={false}
          kept
          part={parts[index]}
        />
      ))}
      {items.length > shown.length && (
        <button type="button" className={BUTTON} onClick={() => setPages(pages + 1)}>
          Show {number(items.length - shown.length)} more items
        </button>
      )}
      {next !== undefined && (
        <Button className="mt-1" aria-label={`Add item to ${label}`} onClick={add}>
          <Sign of="plus" />
          Add item
        </Button>
      )}
    </>
  );
}
