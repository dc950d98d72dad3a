/** The samples that a member can begin as, and the command that begins one. */
import type { MemberName } from "../../bridge/bindings";
import { words } from "../../words/writing";

export type Beginning = "python" | "typescript" | "rust" | "shell";

interface Face {
  /** What the language is called everywhere. */
  readonly name: string;
  /** What is run once in the member's folder; the same as its README has. */
  readonly setUp: readonly string[];
}

export const BEGINNINGS: Readonly<Record<Beginning, Face>> = {
  python: { name: "Python", setUp: ["python3 -m venv .venv", ".venv/bin/pip install -r requirements.txt"] },
  typescript: { name: "TypeScript", setUp: ["npm install", "npm run build"] },
  rust: { name: "Rust", setUp: ["cargo build --release"] },
  shell: { name: "Bash", setUp: [] },
};

const NAME = /^[A-Za-z0-9._-]{1,64}$/;

/** Why a member can't be begun under this name; `null` where it can. */
export function nameTrouble(name: string, members: ReadonlyMap<MemberName, unknown>): string | null {
  if (!NAME.test(name) || /^\.+$/.test(name)) return words.noName;
  return members.has(name) ? words.taken(name) : null;
}

/** A word as a shell takes it whole. */
function quoted(word: string): string {
  return /^[\w./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** What is typed in a terminal. The folder is named, so that the member comes to this very roster. */
export function beginCommand(name: string, language: Beginning, folder: string): string {
  return `guildhall new ${name} --from ${language} --members ${quoted(folder)}`;
}
