/** Recently used tools, members and actions, newest first; kept over restarts. */
import type { MemberName, ToolName } from "../ipc/bindings";
import { Store } from "./store";
import { storeContext } from "./storeContext";
import { keep, readKept, textsWithin } from "./kept";

type RecentThing =
  | { kind: "tool"; member: MemberName; tool: ToolName }
  | { kind: "member"; member: MemberName }
  | { kind: "action"; action: string };

const KEPT = "recent";
const KEPT_MAX = 30;
/** A member's and a tool's name together are never longer. */
const LENGTH_MAX = 400;

/** Names a thing in one text. A member's name has no `/`, so no two share one. */
export function recentKey(thing: RecentThing): string {
  switch (thing.kind) {
    case "tool":
      return `tool ${thing.member}/${thing.tool}`;
    case "member":
      return `member ${thing.member}`;
    case "action":
      return `action ${thing.action}`;
  }
}

export class Recent {
  /** The keys, newest first. */
  readonly keys = new Store<readonly string[]>(readKept(KEPT, textsWithin(KEPT_MAX, LENGTH_MAX), []));

  note(thing: RecentThing): void {
    const key = recentKey(thing);
    this.keys.update((keys) => [key, ...keys.filter((other) => other !== key)].slice(0, KEPT_MAX));
    keep(KEPT, this.keys.get());
  }
}

export const [RecentContext, useRecent] = storeContext<Recent>("useRecent");
