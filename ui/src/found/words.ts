import type { FoundFile, FoundPlace, FoundServer, FoundServers, FoundState } from "../bridge/bindings";
import { words } from "../words/foundServers";

/** Stands where a secret is left out. */
export const MASK = "•••";

export interface FoundFace {
  readonly shape: string;
  readonly word: string;
  readonly colour: string;
}

const FACES: Record<FoundState["kind"], FoundFace> = {
  new: { shape: "○", word: words.states.new, colour: "text-accent" },
  adopted: { shape: "●", word: words.states.adopted, colour: "text-ok" },
  gateway: { shape: "●", word: words.states.gateway, colour: "text-dim" },
  unusable: { shape: "✕", word: words.states.unusable, colour: "text-bad" },
};

export function foundFace(kind: FoundState["kind"]): FoundFace {
  return FACES[kind];
}

/** The kinds in the order of the page. */
export const SECTIONS: readonly FoundState["kind"][] = ["new", "unusable", "adopted", "gateway"];

/** Whom an entry is for. */
export function scopeWords({ scope, folder }: Pick<FoundPlace, "scope" | "folder">): string {
  return folder === null ? words.scopes[scope] : words.scopeIn(scope, folder);
}

/** The programs that have a server, each once: `Claude Desktop, Cursor`. */
export function programsOf(places: readonly FoundPlace[]): string {
  return [...new Set(places.map(({ title }) => title))].join(", ");
}

/** What was found, in a few words. */
export function sumUp({ servers, files }: FoundServers): string {
  const own = servers.filter(({ state }) => state.kind !== "gateway");
  if (own.length === 0) return words.nothingFound;
  const fresh = own.filter(({ state }) => state.kind === "new").length;
  const programs = new Set(own.flatMap(({ places }) => places.map(({ title }) => title)));
  const broken = files.filter(({ error }) => error !== null).length;
  return words.found({ servers: own.length, programs: programs.size, fresh, broken });
}

export function fileFace({ exists, error }: FoundFile): FoundFace {
  if (error) return { shape: "✕", word: words.fileStates.broken, colour: "text-bad" };
  return exists ? { shape: "●", word: words.fileStates.read, colour: "text-ok" } : { shape: "○", word: words.fileStates.absent, colour: "text-faint" };
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
