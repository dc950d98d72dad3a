/** The menu items and shortcuts that move, rename or remove a row, for rows that are list items or added keys. */

import { type KeyboardEvent, useState } from "react";

import { PART_KEYS } from "../../../lib/keys/actionKeys";
import type { MenuItem } from "../../../components/Menu";
import { keyLabel } from "../../../lib/keys/keyLabel";
import { below, type FormCommands, type Place, unset, useFormCommands } from "../commands";
import { type Draft, moved, renamed, withItems } from "../model/draft";
import { BOX } from "./controls";

/** The id suffix of a row's menu button. */
export const MENU_ENDING = "-more";
/** The id suffix of the input for a key's new name. */
export const RENAME_ENDING = "-rename";

/** A row's position in the list (`item`) or the object (`key`) that contains it. */
export type Part =
  | { readonly kind: "item"; readonly index: number; readonly count: number; readonly list: Place; readonly of: string }
  | { readonly kind: "key"; readonly name: string; readonly around: Place; readonly order: readonly string[] };

type ItemPart = Extract<Part, { kind: "item" }>;
type KeyPart = Extract<Part, { kind: "key" }>;

/** Changes the items of a list. Resets which groups inside are open, because their pointers now mean other items. */
function rearrange(form: FormCommands, list: Place, make: (items: readonly Draft[]) => readonly Draft[]): void {
  form.edit(list, (old) => withItems(old, make(old.kind === "array" ? old.items : [])));
  form.forgetBelow(list.pointer);
}

function move(form: FormCommands, { list, index, count }: ItemPart, by: 1 | -1, ending: string): void {
  const to = index + by;
  if (to < 0 || to >= count) return;
  rearrange(form, list, (items) => moved(items, index, to));
  form.focus(below(list, to).pointer, ending);
}

/**
 * Moves a list item if the event is Alt with Up or Down; works from every control inside the item. Returns
 * whether the event was handled.
 */
export function moveByKey(form: FormCommands, part: Part | undefined, event: KeyboardEvent): boolean {
  if (part?.kind !== "item" || !event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return false;
  if (event.key !== "ArrowUp" && event.key !== "ArrowDown") return false;
  // In a combobox, Alt with Up or Down opens the list of options.
  if (event.target instanceof Element && event.target.getAttribute("role") === "combobox") return false;
  event.preventDefault();
  event.stopPropagation();
  move(form, part, event.key === "ArrowUp" ? -1 : 1, "");
  return true;
}

/** The menu items of a list item or an added key. `onRename` shows the input for the key's new name. */
export function partItems(form: FormCommands, part: Part, place: Place, onRename: () => void): readonly MenuItem[] {
  if (part.kind === "key") {
    return [
      { label: "Rename…", icon: "pencil", onSelect: onRename },
      {
        label: "Remove",
        icon: "trash",
        danger: true,
        onSelect: () => {
          unset(form, place);
          form.focus(part.around.pointer);
        },
      },
    ];
  }
  const { index, count, list } = part;
  return [
    { label: "Move up", icon: "up", keys: keyLabel(PART_KEYS.itemUp), unavailable: index === 0 ? "First item" : undefined, onSelect: () => move(form, part, -1, MENU_ENDING) },
    { label: "Move down", icon: "down", keys: keyLabel(PART_KEYS.itemDown), unavailable: index === count - 1 ? "Last item" : undefined, onSelect: () => move(form, part, 1, MENU_ENDING) },
    {
      label: "Duplicate",
      icon: "copy",
      onSelect: () => {
        rearrange(form, list, (items) => items.flatMap((item, at) => (at === index ? [item, item] : [item])));
        form.setOpen(below(list, index + 1).pointer, true);
        form.focus(below(list, index + 1).pointer);
      },
    },
    {
      label: "Remove",
      icon: "trash",
      danger: true,
      onSelect: () => {
        rearrange(form, list, (items) => items.filter((_, at) => at !== index));
        // Focuses a neighboring item, or the list if it is now empty.
        form.focus(count > 1 ? below(list, Math.min(index, count - 2)).pointer : list.pointer);
      },
    },
  ];
}

/** The input for the new name of an added key. */
export function RenameKey({ part: { name, around, order }, place, onDone }: { part: KeyPart; place: Place; onDone: () => void }) {
  const form = useFormCommands();
  const [typed, setTyped] = useState({ name, taken: false });
  const isTaken = (other: string) => {
    const held = form.now(around);
    return order.includes(other) || (held.kind === "object" && held.entries.has(other));
  };
  /** Renames the key. Returns false if the typed name is taken. */
  const finish = (): boolean => {
    if (typed.name !== name && isTaken(typed.name)) {
      setTyped({ ...typed, taken: true });
      return false;
    }
    form.edit(around, (old) => (old.kind === "object" ? renamed(old, name, typed.name) : old));
    onDone();
    return true;
  };
  return (
    <>
      <input
        id={form.idOf(place.pointer) + RENAME_ENDING}
        aria-label={`New name of ${name}`}
        aria-invalid={typed.taken}
        className={`${BOX} w-40`}
        value={typed.name}
        onChange={(event) => setTyped({ name: event.target.value, taken: false })}
        onBlur={finish}
        onKeyDown={(event) => {
          if (event.key === "Escape") {
            event.stopPropagation();
            onDone();
            form.focus(place.pointer, MENU_ENDING);
          }
          if (event.key !== "Enter" || event.ctrlKey || event.metaKey) return;
          event.preventDefault();
          if (finish()) form.focus(below(around, typed.name).pointer, MENU_ENDING);
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
