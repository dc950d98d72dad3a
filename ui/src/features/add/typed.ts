/**
 * Answers typed before an install, remembered while the user visits other pages. They are kept in memory
 * only.
 */
import { useState } from "react";

import type { Draft } from "../form/model/draft";

export class Typed {
  readonly drafts = new Map<string, Draft>();
  /** The fields of a form that are shown as JSON. */
  readonly asJson = new Map<string, ReadonlySet<string>>();
  readonly names = new Map<string, string>();
  /** The install option, or the member that a bundle replaces; empty for a new member. */
  readonly targets = new Map<string, string>();
  /** The chosen version of a server. */
  readonly versions = new Map<string, string>();

  /** Forgets the entries of a key and of keys that continue it with another word; without a key, all. */
  drop(key?: string): void {
    const isMeant = (other: string) => key === undefined || other === key || other.startsWith(`${key} `);
    for (const kept of [this.drafts, this.asJson, this.names, this.targets, this.versions]) {
      for (const one of [...kept.keys()]) if (isMeant(one)) kept.delete(one);
    }
  }
}

/** A state that outlives its component. */
export function useTyped<T>(kept: Map<string, T>, key: string, first: () => T): [T, (next: T) => void] {
  const [now, setNow] = useState(() => kept.get(key) ?? first());
  const type = (next: T) => {
    kept.set(key, next);
    setNow(next);
  };
  return [now, type];
}
