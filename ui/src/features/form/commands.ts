/** State and commands that the parts of one form share. */

import { createContext, useContext } from "react";

import type { PickPath } from "../../ipc/bridge";
import type { FieldContext } from "./model/aids";
import { ABSENT, type Draft, picked, type Step } from "./model/draft";
import type { UnionNode } from "./model/node";
import { childPointer } from "./model/pointer";

/** A place in the arguments, and the variant of a union that is drawn there. */
export interface Place {
  readonly pointer: string;
  readonly steps: readonly Step[];
  readonly variant?: number;
}

/** The children of each place. An unchanged place stays the same object, so that its row is not drawn again. */
const children = new WeakMap<Place, Map<string | number, Place>>();

/** The place of a child. `order` says where a key that is new belongs. */
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

/** The commands on the places of a form. The same object for the life of the form. */
export interface FormCommands {
  /** Changes the value of a place. */
  readonly edit: (place: Place, change: (draft: Draft) => Draft) => void;
  /** The current value of a place. For event handlers; rendering uses props. */
  readonly now: (place: Place) => Draft;
  readonly setOpen: (pointer: string, open: boolean) => void;
  /** Forgets what was opened or edited as JSON inside a list whose items have moved. */
  readonly forgetBelow: (pointer: string) => void;
  /** The values of a union's variants at a place, from before another variant was picked. */
  readonly leftAt: (pointer: string, node: UnionNode) => Map<number, Draft>;
  /** Forgets those values, because the place was cleared. */
  readonly forgetLeft: (pointer: string) => void;
  readonly setJson: (pointer: string, json: boolean) => void;
  /** Shows the field for a key that the object at a place doesn't declare, and focuses it. */
  readonly addKey: (pointer: string) => void;
  /** The id of the control at a place. */
  readonly idOf: (pointer: string) => string;
  /** Focuses a place's control, or the button beside it with this ending of its id, once it is drawn. */
  readonly focus: (pointer: string, ending?: string) => void;
  /** Focuses the first field inside of a place, once it is drawn. */
  readonly focusFirst: (pointer: string) => void;
  /** The tool around each field. */
  readonly around: FieldContext;
  /** Asks for a path by the system's dialog, where there is one. */
  readonly pickPath: ((wanted: PickPath) => Promise<string | null>) | null;
}

/** The marks at the places of a form; the same object until one of the marks changes. */
export interface Marks {
  /** The open groups. */
  readonly open: ReadonlySet<string>;
  /** Places that the user chose to edit as JSON. */
  readonly json: ReadonlySet<string>;
  /** Objects that show the field for another key. */
  readonly adding: ReadonlySet<string>;
  readonly problems: ReadonlyMap<string, readonly string[]>;
  /** A place that must be on the screen because the user jumps to it. */
  readonly revealed: string | null;
}

export const FormCommandsContext = createContext<FormCommands | null>(null);

export function useFormCommands(): FormCommands {
  const form = useContext(FormCommandsContext);
  if (form === null) throw new Error("useFormCommands needs a form above it");
  return form;
}

/** Sets a value typed into the control of a place; a picked variant stays picked. */
export function put(form: FormCommands, place: Place, value: Draft): void {
  form.edit(place, (old) => {
    const variant = place.variant ?? old.variant;
    return variant === undefined ? value : picked(value, variant);
  });
}

/** Takes the value of a place away, and with it the picked variant. */
export function unset(form: FormCommands, place: Place): void {
  form.forgetLeft(place.pointer);
  form.edit(place, () => ABSENT);
}

/** An id out of a pointer, safe in lists of ids. */
export function idFrom(prefix: string, pointer: string): string {
  return prefix + pointer.replace(/[^A-Za-z0-9-]/g, (character) => `_${character.charCodeAt(0).toString(16)}_`);
}
