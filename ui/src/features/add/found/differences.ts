/** Compares the launch settings of servers that have the same name. */
import type { FoundLaunch, FoundServer } from "../../../ipc/bindings";
import { exact } from "../../../lib/exact";
import { MASK } from "../../../lib/mask";

/** One launch setting, with its value in each of the compared servers. */
interface Aspect {
  readonly title: string;
  /** The values in the order of the servers; `null` for a server without this setting. */
  readonly values: readonly (string | null)[];
  /** Whether all values look the same but contain a masked secret, so that the real values may differ. */
  readonly hidden: boolean;
}

/** Writes one string per line, with quotes for an empty string. */
const lines = (texts: readonly string[]) => texts.map((text) => (text === "" ? '""' : exact(text))).join("\n");

/** All launch settings by title. Secrets are masked. */
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

/** The settings whose values differ, or may differ because of a masked secret. */
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
