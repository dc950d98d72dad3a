/** How found servers are called and look. */
import type { FoundFile, FoundPlace, FoundScope, FoundServer, FoundServers, FoundState } from "../bridge/bindings";
import { counted, number } from "../words/format";
import type { Face } from "../words/status";

const SCOPES: Record<FoundScope, string> = {
  user: "for the user",
  local: "for the user, in one project",
  project: "for a project",
  workspace: "for a workspace",
};

const FACES: Record<FoundState["kind"], Face> = {
  new: { shape: "ring", word: "new", colour: "text-accent" },
  adopted: { shape: "dot", word: "a member", colour: "text-ok" },
  gateway: { shape: "dot", word: "Guild Hall itself", colour: "text-dim" },
  unusable: { shape: "cross", word: "can't be adopted", colour: "text-bad" },
};

export function foundFace(kind: FoundState["kind"]): Face {
  return FACES[kind];
}

/** The kinds in the order of the page. */
export const SECTIONS: readonly FoundState["kind"][] = ["new", "unusable", "adopted", "gateway"];

/** Whom an entry is for. */
export function scopeWords({ scope, folder }: Pick<FoundPlace, "scope" | "folder">): string {
  return folder === null ? SCOPES[scope] : `${SCOPES[scope]}: ${folder}`;
}

/** The programs that have a server, each once: `Claude Desktop, Cursor`. */
export function programsOf(places: readonly FoundPlace[]): string {
  return [...new Set(places.map(({ title }) => title))].join(", ");
}

/** What was found, in a few words. */
export function sumUp({ servers, files }: FoundServers): string {
  const own = servers.filter(({ state }) => state.kind !== "gateway");
  if (own.length === 0) return "No servers found";
  const fresh = own.filter(({ state }) => state.kind === "new").length;
  const programs = new Set(own.flatMap(({ places }) => places.map(({ title }) => title)));
  const broken = files.filter(({ error }) => error !== null).length;
  return `${counted(own.length, { one: "server", other: "servers" })} in ${counted(programs.size, { one: "app", other: "apps" })}, ${fresh === 0 ? "none new" : `${number(fresh)} new`}${broken > 0 ? `, ${counted(broken, { one: "file", other: "files" })} not read to the end` : ""}.`;
}

export function fileFace({ exists, error }: FoundFile): Face {
  if (error) return { shape: "cross", word: "not read to the end", colour: "text-bad" };
  return exists ? { shape: "dot", word: "read", colour: "text-ok" } : { shape: "ring", word: "not there", colour: "text-faint" };
}

/** What a search goes through. */
export function searched({ name, commandLine, places }: FoundServer): string {
  return [name, commandLine, ...places.flatMap(({ name: called, title, path }) => [called, title, path])].join("\n").toLowerCase();
}
