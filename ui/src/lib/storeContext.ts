/** Creates a React context for a store or another shared value, and the hook that reads the context. */
import { createContext, use, type Context } from "react";

/** `name` is the name of the hook, used in the error message for components without a provider. */
export function storeContext<T>(name: string): readonly [Context<T | null>, () => T] {
  const context = createContext<T | null>(null);
  const useProvided = (): T => {
    const store = use(context);
    if (store === null) throw new Error(`${name} needs its provider`);
    return store;
  };
  return [context, useProvided];
}
