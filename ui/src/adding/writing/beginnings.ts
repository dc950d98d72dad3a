/** What members can begin as, and the command that begins one. */
import type { Beginning, MemberName } from "../../bridge/bindings";

/** What the languages are called everywhere. */
export const LANGUAGES: Readonly<Record<Beginning, string>> = { python: "Python", typescript: "TypeScript", rust: "Rust", shell: "Bash" };

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** Why a member can't be begun under this name; `null` where it can. */
export function nameTrouble(name: string, members: ReadonlyMap<MemberName, unknown>): string | null {
  if (!NAME.test(name)) return "Use 1 to 64 letters, digits, dots, hyphens and underscores. Start with a letter or digit.";
  // Some file systems ignore case.
  const taken = [...members.keys()].find((member) => member.toLowerCase() === name.toLowerCase());
  return taken === undefined ? null : `A member named ${taken} already exists.`;
}

/** A word as a shell takes it whole. */
function quoted(word: string): string {
  return /^[\w./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** What is typed in a terminal. The folder is named, so that the member comes to this very roster. */
export function beginCommand(name: string, from: Beginning, folder: string): string {
  return `guildhall add new ${name} --from ${from} --members ${quoted(folder)}`;
}

/** The folder that a member gets, written as its system writes paths. */
export function folderOf(name: string, members: string): string {
  const sign = members.includes("\\") && !members.includes("/") ? "\\" : "/";
  return `${members.replace(/[\\/]$/, "")}${sign}${name}`;
}
