/** Labels for found servers and their files. */
import type { FoundFile, FoundPlace, FoundScope, FoundServer, FoundServers, FoundState } from "../../../ipc/bindings";
import { counted } from "../../../lib/format";
import type { Face } from "../../../components/status";

const SCOPES: Record<FoundScope, string> = {
  user: "for the user",
  local: "for the user, in one project",
  project: "for a project",
  workspace: "for a workspace",
};

/** The states in the order in which rows are sorted. */
export const STATES: readonly FoundState["kind"][] = ["new", "unusable", "adopted", "gateway"];

interface StateBadge {
  readonly tone: "ok" | "warn" | "bad" | "plain";
  readonly text: string;
}

const BADGES: Record<FoundState["kind"], StateBadge> = {
  new: { tone: "ok", text: "New" },
  adopted: { tone: "plain", text: "Already in your roster" },
  gateway: { tone: "plain", text: "Guild Hall itself" },
  unusable: { tone: "bad", text: "Can't be imported" },
};

/**
 * The badge for the state of a server. If a new server differs from another server with the same name, the badge names
 * the member or the apps of that other server.
 */
export function stateBadge({ state, differs }: FoundServer, all: readonly FoundServer[]): StateBadge {
  const other = all.find(({ id }) => id === differs[0]);
  if (state.kind !== "new" || other === undefined) return BADGES[state.kind];
  return { tone: "warn", text: `Differs from ${other.state.kind === "adopted" ? other.state.member : programsOf(other.places)}` };
}

/** A label for the users or the project to which an entry applies. */
export function scopeWords({ scope, folder }: Pick<FoundPlace, "scope" | "folder">): string {
  return folder === null ? SCOPES[scope] : `${SCOPES[scope]}: ${folder}`;
}

/** The titles of the apps that have a server, without duplicates, such as `Claude Desktop, Cursor`. */
export function programsOf(places: readonly FoundPlace[]): string {
  return [...new Set(places.map(({ title }) => title))].join(", ");
}

/** A summary such as `Found 5 servers in 2 apps. Nothing runs until you import it.` */
export function sumUp({ servers }: FoundServers): string {
  const own = servers.filter(({ state }) => state.kind !== "gateway");
  if (own.length === 0) return "No servers found";
  const apps = new Set(own.map(({ places }) => places[0]?.title));
  const next = own.some(({ state }) => state.kind === "new") ? "Nothing runs until you import it." : "All of them are in your roster or can't be imported.";
  return `Found ${counted(own.length, { one: "server", other: "servers" })} in ${counted(apps.size, { one: "app", other: "apps" })}. ${next}`;
}

export function fileFace({ exists, error }: FoundFile): Face {
  if (error) return { shape: "cross", word: "partly read", colour: "text-bad" };
  return exists ? { shape: "dot", word: "read", colour: "text-ok" } : { shape: "ring", word: "not found", colour: "text-faint" };
}

/** The text of a server that the filter searches, in lower case. */
export function searched({ name, commandLine, places }: FoundServer): string {
  return [name, commandLine, ...places.flatMap(({ name: called, title, path }) => [called, title, path])].join("\n").toLowerCase();
}
