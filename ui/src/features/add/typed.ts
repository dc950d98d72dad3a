/** The user's input for installs, which is kept while the user visits other pages. It is kept in memory only. */
import { useState } from "react";

import type { Draft } from "../form/model/draft";

export class Typed {
  readonly drafts = new Map<string, Draft>();
  /** The form fields that are edited as JSON, by form. */
  readonly asJson = new Map<string, ReadonlySet<string>>();
  readonly names = new Map<string, string>();
  /** The selected install option, or the name of the member that a bundle replaces (empty for a new member). */
  readonly targets = new Map<string, string>();
  /** The selected version of each server. */
  readonly versions = new Map<string, string>();

  /**
   * Deletes the entries of a key, and of longer keys that begin with that key and a space. Without a key, deletes
   * all entries.
   */
  drop(key?: string): void {
    const isMeant = (other: string) => key === undefined || other === key || other.startsWith(`${key} `);
    for (const kept of [this.drafts, this.asJson, this.names, this.targets, this.versions]) {
      for (const one of [...kept.keys()]) if (isMeant(one)) kept.delete(one);
    }
  }
}

/** Like `useState`, but the value is also stored in the map `kept`, so that it survives an unmount. */
export function useTyped<T>(kept: Map<string, T>, key: string, first: () => T): [T, (next: T) => void] {
  const [now, setNow] = useState(() => kept.get(key) ?? first());
  const type = (next: T) => {
    kept.set(key, next);
    setNow(next);
  };
  return [now, type];
}
