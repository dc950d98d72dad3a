/** The differences between servers of one name. */
import type { FoundLaunch, FoundServer } from "../../../ipc/bindings";
import { exact } from "../../../lib/exact";
import { MASK } from "../../../lib/mask";

/** One setting of the launch, with its value in each of several servers. */
interface Aspect {
  readonly title: string;
  /** In the order of the servers; `null` where a server does not set it. */
  readonly values: readonly (string | null)[];
  /** Whether the values may differ in a masked part. */
  readonly hidden: boolean;
}

/** One item per line. */
const lines = (texts: readonly string[]) => texts.map((text) => (text === "" ? '""' : exact(text))).join("\n");

/** All settings of a launch by title, secrets masked. */
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

/** The settings that differ, or may differ in a masked part. */
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
