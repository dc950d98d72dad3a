/**
 * Answers typed before an install, remembered while the user visits other pages. They are kept in memory
 * only.
 */
import { useState } from "react";

import type { Draft } from "../form/model/draft";

export class Typed {
  readonly drafts = new Map<string, Draft>();
  /** The places of a form that are shown as JSON. */
  readonly asJson = new Map<string, ReadonlySet<string>>();
  readonly names = new Map<string, string>();
  /** Which way, or which member it is put in the place of; empty for a new one. */
  readonly targets = new Map<string, string>();
  /** Which version of a server, where one was chosen. */
  readonly versions = new Map<string, string>();

  /** Forgets what belongs to a key, and to those that go on from it with another word; all where none is named. */
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
