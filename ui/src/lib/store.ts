/** A value outside React. Components subscribe to it with `useStore`. */
import { useSyncExternalStore } from "react";

export class Store<T> {
  #value: T;
  readonly #listeners = new Set<() => void>();

  constructor(value: T) {
    this.#value = value;
  }

  readonly get = (): T => this.#value;

  set(value: T): void {
    if (Object.is(value, this.#value)) return;
    this.#value = value;
    for (const listener of this.#listeners) listener();
  }

  update(change: (value: T) => T): void {
    this.set(change(this.#value));
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
}

/** Reads a part of a store's value. `select` must return the same object as long as the value is unchanged. */
export function useStore<T, S>(store: Store<T>, select: (value: T) => S): S {
  return useSyncExternalStore(store.subscribe, () => select(store.get()));
}

/** Defers work, usually to the next frame, so that a burst of events renders only once. */
export type Schedule = (work: () => void) => void;

/** The maximum delay of the work in milliseconds, for hidden windows, which get no animation frames. */
const HIDDEN_MS = 250;

export const nextFrame: Schedule = (work) => {
  let done = false;
  const once = () => {
    if (done) return;
    done = true;
    clearTimeout(timer);
    cancelAnimationFrame(frame);
    work();
  };
  const timer = setTimeout(once, HIDDEN_MS);
  const frame = requestAnimationFrame(once);
};
