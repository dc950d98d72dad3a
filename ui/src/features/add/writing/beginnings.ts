/** The templates of new members, and the command that creates one. */
import type { Beginning, MemberName } from "../../../ipc/bindings";

/** The names of the languages. */
export const LANGUAGES: Readonly<Record<Beginning, string>> = { python: "Python", typescript: "TypeScript", rust: "Rust", shell: "Bash" };

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** The problem of a name for a new member; `null` if there is none. */
export function nameTrouble(name: string, members: ReadonlyMap<MemberName, unknown>): string | null {
  if (!NAME.test(name)) return "Use 1 to 64 letters, digits, dots, hyphens and underscores. Start with a letter or digit.";
  // Some file systems ignore case.
  const taken = [...members.keys()].find((member) => member.toLowerCase() === name.toLowerCase());
  return taken === undefined ? null : `A member named ${taken} already exists.`;
}

/** Quotes a word for a shell. */
function quoted(word: string): string {
  return /^[\w./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** The command for a terminal. It names the folder, so that the member appears in this roster. */
export function beginCommand(name: string, from: Beginning, folder: string): string {
  return `guildhall add new ${name} --from ${from} --members ${quoted(folder)}`;
}

/** The folder of a member, with the path separators of its system. */
export function folderOf(name: string, members: string): string {
  const sign = members.includes("\\") && !members.includes("/") ? "\\" : "/";
  return `${members.replace(/[\\/]$/, "")}${sign}${name}`;
}
