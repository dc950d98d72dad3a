/** Recorded answers of the real engine; `npm run record` writes them. */
import type { Commands, Report } from "../ipc/bindings";
import { Refusal } from "../ipc/bridge";
import { guild } from "./generated/guild";
import { smithy } from "./generated/smithy";
import type { Recorded } from "./recording";

/** A recorded answer fits only a request with the same values of these fields. */
const SAME: readonly string[] = ["member", "tool", "profile", "id", "server", "client", "target"];

/** The recorded answer whose request is most like this one, or its refusal. */
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

/** The answer of the engine to a request that has these values. */
export function recorded<K extends keyof Commands>(name: K, request: Partial<Commands[K]["request"]> = {}, label?: string): Commands[K]["response"] {
  const answer = find(name, request, label)?.answer;
  if (answer === undefined) throw new Error(`No answer to ${name} ${JSON.stringify(request)} was recorded.`);
  return answer;
}

/** The refusal of the engine of such a request, with other values where a test gives some. */
export function refused<K extends keyof Commands>(name: K, request: Partial<Commands[K]["request"]> = {}, label?: string): Report {
  const report = find(name, request, label)?.refusal;
  if (report === undefined) throw new Error(`No refusal of ${name} ${JSON.stringify(request)} was recorded.`);
  return report;
}

/** Answers a request as the engine did. */
export function answerAsRecorded<K extends keyof Commands>(name: K, request: Commands[K]["request"]): Commands[K]["response"] {
  const found = find(name, request);
  if (found?.refusal) throw new Refusal(found.refusal);
  if (found?.answer === undefined) throw new Error(`No answer to ${name} ${JSON.stringify(request)} was recorded.`);
  return found.answer;
}
