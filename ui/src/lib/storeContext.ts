/** Gives each store of the window a React context and the hook that reads it. */
import { createContext, use, type Context } from "react";

/** `name` is the store's name in the error about a component outside the window. */
export function storeContext<T>(name: string): readonly [Context<T | null>, () => T] {
  const context = createContext<T | null>(null);
  const useProvided = (): T => {
    const store = use(context);
    if (store === null) throw new Error(`${name} needs its provider`);
    return store;
  };
  return [context, useProvided];
}
