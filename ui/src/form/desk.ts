/** What the parts of one form share: how to edit, what is wrong where, what stands open. */

import { createContext, useContext } from "react";

import { ABSENT, type Draft, picked, type Step } from "./model/draft";
import type { UnionNode } from "./model/node";
import { childPointer } from "./model/pointer";

/** A place in the arguments, and the variant of a union that is drawn there. */
export interface Place {
  readonly pointer: string;
  readonly steps: readonly Step[];
  readonly variant?: number;
}

export const ROOT: Place = { pointer: "", steps: [] };

/** The place of a child. `order` says where a key that is new belongs. */
export function below(place: Place, key: string | number, order?: readonly string[]): Place {
  const step: Step = order === undefined ? { key } : { key, order };
  return { pointer: childPointer(place.pointer, key), steps: [...place.steps, step] };
}

export interface Desk {
  /** Changes what stands at a place. */
  readonly edit: (place: Place, change: (draft: Draft) => Draft) => void;
  readonly problems: ReadonlyMap<string, readonly string[]>;
  readonly isOpen: (pointer: string) => boolean;
  readonly setOpen: (pointer: string, open: boolean) => void;
  /** Forgets what was opened or edited as JSON inside a list whose items have moved. */
  readonly forgetBelow: (pointer: string) => void;
  /** What the variants of a union at a place held when another one was picked. */
  readonly leftAt: (pointer: string, node: UnionNode) => Map<number, Draft>;
  /** Forgets that, because the place was cleared. */
  readonly forgetLeft: (pointer: string) => void;
  /** Places that somebody chose to edit as JSON. */
  readonly isJson: (pointer: string) => boolean;
  readonly setJson: (pointer: string, json: boolean) => void;
  /** A place that has to be on the screen, because somebody jumps to it. */
  readonly revealed: string | null;
  /** The id of the control at a place. */
  readonly idOf: (pointer: string) => string;
}

export const DeskContext = createContext<Desk | null>(null);

export function useDesk(): Desk {
  const desk = useContext(DeskContext);
  if (desk === null) throw new Error("A part of a form stands outside of a form.");
  return desk;
}

/** Sets a value typed into the control of a place; a picked variant stays picked. */
export function put(desk: Desk, place: Place, value: Draft): void {
  desk.edit(place, (old) => {
    const variant = place.variant ?? old.variant;
    return variant === undefined ? value : picked(value, variant);
  });
}

/** Takes the value of a place away, and with it the picked variant. */
export function unset(desk: Desk, place: Place): void {
  desk.forgetLeft(place.pointer);
  desk.edit(place, () => ABSENT);
}

/** An id out of a pointer, safe in lists of ids. */
export function idFrom(prefix: string, pointer: string): string {
  return prefix + pointer.replace(/[^A-Za-z0-9-]/g, (character) => `_${character.charCodeAt(0).toString(16)}_`);
}
