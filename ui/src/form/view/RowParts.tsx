/** What can be done with a row that is an item of a list or a key that was added. */

import { type KeyboardEvent, useState } from "react";

import { PART_KEYS } from "../../app/actionKeys";
import { Sign } from "../../parts/Icon";
import { keyed } from "../../words/format";
import { keyLabel } from "../../words/keys";
import { below, type Desk, type Place, samePlace, unset, useDesk } from "../desk";
import { type Draft, moved, renamed, withItems } from "../model/draft";
import { ASIDE } from "./aside";
import { BOX, BUTTON } from "./controls";

const removeOne = (item: string) => `Remove ${item}`;

/** What a row is a part of. */
export type Part =
  | { readonly kind: "item"; readonly index: number; readonly count: number; readonly list: Place; readonly of: string }
  | { readonly kind: "key"; readonly name: string; readonly around: Place; readonly order: readonly string[] };

export function samePart(a: Part | undefined, b: Part | undefined): boolean {
  if (a === b) return true;
  if (a?.kind === "item" && b?.kind === "item") {
    return a.index === b.index && a.count === b.count && a.of === b.of && samePlace(a.list, b.list);
  }
  if (a?.kind === "key" && b?.kind === "key") {
    return a.name === b.name && a.order === b.order && samePlace(a.around, b.around);
  }
  return false;
}

type ItemPart = Extract<Part, { kind: "item" }>;
type KeyPart = Extract<Part, { kind: "key" }>;

/** Changes the items of a list; what was opened inside of it does not fit the new ones. */
function rearrange(desk: Desk, list: Place, make: (items: readonly Draft[]) => readonly Draft[]): void {
  desk.edit(list, (old) => withItems(old, make(old.kind === "array" ? old.items : [])));
  desk.forgetBelow(list.pointer);
}

function move(desk: Desk, { list, index, count }: ItemPart, by: 1 | -1, then: string): void {
  const to = index + by;
  if (to < 0 || to >= count) return;
  rearrange(desk, list, (items) => moved(items, index, to));
  // At the end of the list the button that was pressed can't be pressed again.
  const ends = by < 0 ? to === 0 : to === count - 1;
  desk.focus(below(list, to).pointer, ends && then !== "" ? "" : then);
}

/** Alt with an arrow moves an item from anywhere inside of it. Whether that was asked for. */
export function moveByKey(desk: Desk, part: Part | undefined, event: KeyboardEvent): boolean {
  if (part?.kind !== "item" || !event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return false;
  if (event.key !== "ArrowUp" && event.key !== "ArrowDown") return false;
  // There the keys open a menu.
  const target = event.target;
  if (target instanceof HTMLSelectElement || (target instanceof HTMLElement && target.role === "combobox")) return false;
  event.preventDefault();
  event.stopPropagation();
  move(desk, part, event.key === "ArrowUp" ? -1 : 1, "");
  return true;
}

export function PartActions({ part, place }: { part: Part; place: Place }) {
  return part.kind === "item" ? <ItemActions part={part} id={place.pointer} /> : <KeyActions part={part} place={place} />;
}

function ItemActions({ part, id }: { part: ItemPart; id: string }) {
  const desk = useDesk();
  const { index, count, list, of } = part;
  const name = `${of}[${index}]`;
  return (
    <>
      <button
        type="button"
        {...ASIDE}
        id={`${desk.idOf(id)}-up`}
        className={BUTTON}
        disabled={index === 0}
        title={keyed("Move up", keyLabel(PART_KEYS.itemUp))}
        aria-label={`Move ${name} up`}
        onClick={() => move(desk, part, -1, "-up")}
      >
        ↑
      </button>
      <button
        type="button"
        {...ASIDE}
        id={`${desk.idOf(id)}-down`}
        className={BUTTON}
        disabled={index === count - 1}
        title={keyed("Move down", keyLabel(PART_KEYS.itemDown))}
        aria-label={`Move ${name} down`}
        onClick={() => move(desk, part, 1, "-down")}
      >
        ↓
      </button>
      <button
        type="button"
        {...ASIDE}
        className={BUTTON}
        title="Duplicate"
        aria-label={`Duplicate ${name}`}
        onClick={() => {
          rearrange(desk, list, (items) => items.flatMap((item, place) => (place === index ? [item, item] : [item])));
          desk.setOpen(below(list, index + 1).pointer, true);
          desk.focus(below(list, index + 1).pointer);
        }}
      >
        <Sign of="copy" />
      </button>
      <button
        type="button"
        {...ASIDE}
        className={BUTTON}
        title="Remove"
        aria-label={removeOne(name)}
        onClick={() => {
          rearrange(desk, list, (items) => items.filter((_, place) => place !== index));
          // The focus stays in the list.
          desk.focus(count > 1 ? below(list, Math.min(index, count - 2)).pointer : list.pointer);
        }}
      >
        <Sign of="close" />
      </button>
    </>
  );
}

function KeyActions({ part, place }: { part: KeyPart; place: Place }) {
  const desk = useDesk();
  const { name, around } = part;
  return (
    <>
      <RenameKey part={part} place={place} />
      <button
        type="button"
        {...ASIDE}
        className={BUTTON}
        title="Remove"
        aria-label={removeOne(name)}
        onClick={() => {
          unset(desk, place);
          desk.focus(around.pointer);
        }}
      >
        <Sign of="close" />
      </button>
    </>
  );
}

function RenameKey({ part: { name, around, order }, place }: { part: KeyPart; place: Place }) {
  const desk = useDesk();
  const [typed, setTyped] = useState<{ name: string; taken: boolean } | null>(null);
  // The button and the field take each other's place.
  const ending = "-rename";
  const id = desk.idOf(place.pointer) + ending;
  if (typed === null) {
    return (
      <button
        type="button"
        {...ASIDE}
        id={id}
        className={BUTTON}
        title="Rename"
        aria-label={`Rename ${name}`}
        onClick={() => {
          setTyped({ name, taken: false });
          desk.focus(place.pointer, ending);
        }}
      >
        <Sign of="pencil" />
      </button>
    );
  }
  const isTaken = (other: string) => {
    const held = desk.now(around);
    return order.includes(other) || (held.kind === "object" && held.entries.has(other));
  };
  /** Whether the key has the name that was typed. */
  const finish = (): boolean => {
    if (typed.name !== name && isTaken(typed.name)) {
      setTyped({ ...typed, taken: true });
      return false;
    }
    desk.edit(around, (old) => (old.kind === "object" ? renamed(old, name, typed.name) : old));
    setTyped(null);
    return true;
  };
  return (
    <>
      <input
        id={id}
        aria-label={`New name of ${name}`}
        aria-invalid={typed.taken}
        className={`${BOX} w-28`}
        value={typed.name}
        onChange={(event) => setTyped({ name: event.target.value, taken: false })}
        onBlur={finish}
        onKeyDown={(event) => {
          if (event.key === "Escape") {
            event.stopPropagation();
            setTyped(null);
            desk.focus(place.pointer, ending);
          }
          if (event.key !== "Enter" || event.ctrlKey || event.metaKey) return;
          event.preventDefault();
          if (finish()) desk.focus(below(around, typed.name).pointer, ending);
        }}
      />
      {typed.taken && (
        <span role="alert" className="text-sm text-bad">
          This key is taken
        </span>
      )}
    </>
  );
}
