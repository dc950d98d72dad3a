/** The commands and the display state that all components of one form share through React contexts. */

import type { PickPath } from "../../ipc/bridge";
import { storeContext } from "../../lib/storeContext";
import type { FieldContext } from "./model/aids";
import { ABSENT, type Draft, picked, type Step } from "./model/draft";
import type { UnionNode } from "./model/node";
import { childPointer } from "./model/pointer";

/** The position of a value in the arguments, and the index of the union variant whose control is shown. */
export interface Place {
  readonly pointer: string;
  readonly steps: readonly Step[];
  readonly variant?: number;
}

/** Cache of child positions. Reusing the same object keeps the props of memoized rows unchanged. */
const children = new WeakMap<Place, Map<string | number, Place>>();

/** The position of a child. `order` is the schema's order of keys, by which a new key is inserted. */
export function below(place: Place, key: string | number, order?: readonly string[]): Place {
  const known = children.get(place) ?? new Map<string | number, Place>();
  children.set(place, known);
  const held = known.get(key);
  if (held !== undefined && held.steps.at(-1)?.order === order) return held;
  const step: Step = order === undefined ? { key } : { key, order };
  const made = { pointer: childPointer(place.pointer, key), steps: [...place.steps, step] };
  known.set(key, made);
  return made;
}

/** Commands that change or query a form. The object is created once per form. */
export interface FormCommands {
  /** Changes the value at a position. */
  readonly edit: (place: Place, change: (draft: Draft) => Draft) => void;
  /** The current value at a position. Only for event handlers; rendering uses props. */
  readonly now: (place: Place) => Draft;
  readonly setOpen: (pointer: string, open: boolean) => void;
  /** Resets which groups inside a list are open or edited as JSON, after the list's items have moved. */
  readonly forgetBelow: (pointer: string) => void;
  /** The last value of each variant of a union, by variant index. Picking the variant again restores the value. */
  readonly leftAt: (pointer: string, node: UnionNode) => Map<number, Draft>;
  /** Forgets the values of `leftAt` at and below a pointer, because the user cleared the field. */
  readonly forgetLeft: (pointer: string) => void;
  readonly setJson: (pointer: string, json: boolean) => void;
  /** Shows the input for a new key of an object, and focuses the input. */
  readonly addKey: (pointer: string) => void;
  /** The DOM id of the control at a pointer. */
  readonly idOf: (pointer: string) => string;
  /** Renders pending updates, then focuses a control, or the element whose id is the control's id plus `ending`. */
  readonly focus: (pointer: string, ending?: string) => void;
  /** Renders pending updates, then focuses the first field inside a group. */
  readonly focusFirst: (pointer: string) => void;
  /** Information about the tool, from which input aids are chosen. */
  readonly around: FieldContext;
  /** Opens the system's file dialog and returns the chosen path; `null` if the dialog is not available. */
  readonly pickPath: ((wanted: PickPath) => Promise<string | null>) | null;
}

/** The display state of a form's fields, by JSON Pointer. The object is replaced only when the state changes. */
export interface Marks {
  /** The expanded groups. */
  readonly open: ReadonlySet<string>;
  /** The values that the user chose to edit as JSON. */
  readonly json: ReadonlySet<string>;
  /** The objects that show the input for a new key. */
  readonly adding: ReadonlySet<string>;
  readonly problems: ReadonlyMap<string, readonly string[]>;
  /** The value whose row must be rendered, even in a long list, because the user jumped to its problem. */
  readonly revealed: string | null;
}

export const [FormCommandsContext, useFormCommands] = storeContext<FormCommands>("useFormCommands");

/** Sets the value that a control edits. The picked variant of a union is kept. */
export function put(form: FormCommands, place: Place, value: Draft): void {
  form.edit(place, (old) => {
    const variant = place.variant ?? old.variant;
    return variant === undefined ? value : picked(value, variant);
  });
}

/** Removes a value, including its picked variant. */
export function unset(form: FormCommands, place: Place): void {
  form.forgetLeft(place.pointer);
  form.edit(place, () => ABSENT);
}

/** Derives a DOM id from a pointer. The id has no spaces, so that it can be used in `aria-describedby`. */
export function idFrom(prefix: string, pointer: string): string {
  return prefix + pointer.replace(/[^A-Za-z0-9-]/g, (character) => `_${character.charCodeAt(0).toString(16)}_`);
}
