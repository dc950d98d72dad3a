import type { FoundFile, FoundPlace, FoundScope, FoundServer, FoundServers, FoundState } from "../bridge/bindings";
import { counted } from "../words/count";

/** Stands where a secret is left out. */
export const MASK = "•••";

export interface FoundFace {
  readonly shape: string;
  readonly word: string;
  readonly colour: string;
}

const FACES: Record<FoundState["kind"], FoundFace> = {
  new: { shape: "○", word: "new", colour: "text-accent" },
  adopted: { shape: "●", word: "a member", colour: "text-ok" },
  gateway: { shape: "●", word: "Guild Hall itself", colour: "text-dim" },
  unusable: { shape: "✕", word: "can't be adopted", colour: "text-bad" },
};

export function foundFace(kind: FoundState["kind"]): FoundFace {
  return FACES[kind];
}

/** The kinds in the order of the page, with what stands above each. */
export const SECTIONS: readonly { readonly kind: FoundState["kind"]; readonly title: string }[] = [
  { kind: "new", title: "New" },
  { kind: "unusable", title: "Can't be adopted" },
  { kind: "adopted", title: "Members already" },
  { kind: "gateway", title: "Guild Hall's own entries" },
];

const SCOPES: Record<FoundScope, string> = {
  user: "for the user",
  local: "for the user, in one project",
  project: "for a project",
  workspace: "for a workspace",
};

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
  if (own.length === 0) return "No server was found.";
  const fresh = own.filter(({ state }) => state.kind === "new").length;
  const programs = new Set(own.flatMap(({ places }) => places.map(({ title }) => title)));
  const broken = files.filter(({ error }) => error !== null).length;
  const parts = [
    `${counted(own.length, "server")} in ${counted(programs.size, "program")}`,
    fresh === 0 ? "none is new" : `${fresh.toLocaleString("en")} new`,
    broken > 0 && `${counted(broken, "file")} not read to the end`,
  ];
  return `${parts.filter(Boolean).join(", ")}.`;
}

export function fileFace({ exists, error }: FoundFile): FoundFace {
  if (error) return { shape: "✕", word: "not read to the end", colour: "text-bad" };
  return exists ? { shape: "●", word: "read", colour: "text-ok" } : { shape: "○", word: "not there", colour: "text-faint" };
}

/** Control characters, those that can't be seen, and those that turn the order of others round. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{VS}\u00a0\u115f\u1160\u2000-\u200a\u202f\u205f\u2800\u3000\u3164\uffa0]/gu;

/** A text of a file such that nothing in it is hidden and nothing looks like something else's place. */
export function exact(text: string): string {
  return text.replace(HIDDEN, (hidden) => (hidden === "\n" ? "↵\n" : `⟨${(hidden.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}⟩`));
}

/** What a search goes through. */
export function searched({ name, commandLine, places }: FoundServer): string {
  return [name, commandLine, ...places.flatMap(({ name: called, title, path }) => [called, title, path])].join("\n").toLowerCase();
}
