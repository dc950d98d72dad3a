/** What differs between servers that have one name and run something else. */
import type { FoundLaunch, FoundServer } from "../bridge/bindings";
import { exact } from "../parts/exact";
import { MASK } from "../parts/mask";

/** One thing that a server is started with, as each of several servers has it. */
interface Aspect {
  readonly title: string;
  /** In the order of the servers; `null` where one has nothing of it. */
  readonly values: readonly (string | null)[];
  /** Whether they look alike and may differ in what is hidden. */
  readonly hidden: boolean;
}

/** One item per line. */
const lines = (texts: readonly string[]) => texts.map((text) => (text === "" ? '""' : exact(text))).join("\n");

/** Everything that a server is started with, by its title, as it can be shown. */
function aspectsOf(launch: FoundLaunch | null): ReadonlyMap<string, string> {
  if (launch === null) return new Map();
  if (launch.kind === "url") {
    return new Map([["Address", exact(launch.url)], ...launch.headers.map(({ name, value }) => [`Header ${exact(name)}`, exact(value)] as const)]);
  }
  return new Map([
    ["Command", exact(launch.command)],
    ...(launch.args.length > 0 ? [["Arguments", lines(launch.args)] as const] : []),
    ...(launch.cwd === null ? [] : [["Folder", exact(launch.cwd)] as const]),
    ...launch.env.map(({ name, value }) => [`Variable ${exact(name)}`, exact(value)] as const),
  ]);
}

/** Only what differs, or may differ because it is hidden. */
export function differencesOf(servers: readonly FoundServer[]): readonly Aspect[] {
  const all = servers.map(({ launch }) => aspectsOf(launch));
  const titles = new Set(all.flatMap((aspects) => [...aspects.keys()]));
  return [...titles].flatMap((title) => {
    const values = all.map((aspects) => aspects.get(title) ?? null);
    const alike = values.every((value) => value === values[0]);
    const hidden = alike && values[0]?.includes(MASK) === true;
    return alike && !hidden ? [] : [{ title, values, hidden }];
  });
}
