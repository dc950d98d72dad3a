/** Finds recorded answers of the real engine. `npm run record` records them. */
import type { Commands, Report } from "../ipc/bindings";
import { Refusal } from "../ipc/bridge";
import { guild } from "./generated/guild";
import { smithy } from "./generated/smithy";
import type { Recorded } from "./recording";

/** The request fields whose values must be equal for a recorded answer to match. */
const SAME: readonly string[] = ["member", "tool", "profile", "id", "server", "client", "target"];

/** The recorded answer or refusal whose request has the most fields in common with `request`. */
export function find<K extends keyof Commands>(name: K, request: Partial<Commands[K]["request"]>, label?: string): Recorded<K> | undefined {
  const all: readonly Recorded<K>[] = [...(guild[name] ?? []), ...(smithy[name] ?? [])];
  const asked = Object.entries(request).map(([key, value]) => [key, JSON.stringify(value)] as const);
  let best: { recorded: Recorded<K>; equal: number } | undefined;
  for (const recorded of all) {
    if (recorded.label !== label) continue;
    const kept = new Map(Object.entries(recorded.request).map(([key, value]) => [key, JSON.stringify(value)]));
    if (asked.some(([key, value]) => SAME.includes(key) && kept.get(key) !== value)) continue;
    const equal = asked.filter(([key, value]) => kept.get(key) === value).length;
    if (!best || equal > best.equal) best = { recorded, equal };
  }
  return best?.recorded;
}

/** The recorded answer to a request with these fields. Throws if none was recorded. */
export function recorded<K extends keyof Commands>(name: K, request: Partial<Commands[K]["request"]> = {}, label?: string): Commands[K]["response"] {
  const answer = find(name, request, label)?.answer;
  if (answer === undefined) throw new Error(`No answer to ${name} ${JSON.stringify(request)} was recorded.`);
  return answer;
}

/** The recorded refusal of a request with these fields. Throws if none was recorded. */
export function refused<K extends keyof Commands>(name: K, request: Partial<Commands[K]["request"]> = {}, label?: string): Report {
  const report = find(name, request, label)?.refusal;
  if (report === undefined) throw new Error(`No refusal of ${name} ${JSON.stringify(request)} was recorded.`);
  return report;
}

/** Returns the recorded answer to a request, or throws the recorded refusal. */
export function answerAsRecorded<K extends keyof Commands>(name: K, request: Commands[K]["request"]): Commands[K]["response"] {
  const found = find(name, request);
  if (found?.refusal) throw new Refusal(found.refusal);
  if (found?.answer === undefined) throw new Error(`No answer to ${name} ${JSON.stringify(request)} was recorded.`);
  return found.answer;
}
