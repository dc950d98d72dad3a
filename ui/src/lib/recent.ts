/** Recently used tools, members and actions, stored across restarts. */
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
/** The maximum length of a key. A member's and a tool's name together are always shorter. */
const LENGTH_MAX = 400;

/** The key of a tool, member or action. It is unique because member names can't contain `/`. */
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
  /** The keys (see `recentKey`), newest first. */
  readonly keys = new Store<readonly string[]>(readKept(KEPT, textsWithin(KEPT_MAX, LENGTH_MAX), []));

  note(thing: RecentThing): void {
    const key = recentKey(thing);
    this.keys.update((keys) => [key, ...keys.filter((other) => other !== key)].slice(0, KEPT_MAX));
    keep(KEPT, this.keys.get());
  }
}

export const [RecentContext, useRecent] = storeContext<Recent>("useRecent");
