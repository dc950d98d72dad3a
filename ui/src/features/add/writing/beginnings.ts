/** Labels and checks for the templates of new members, and the terminal command that creates a member. */
import type { TemplateLanguage, MemberName } from "../../../ipc/bindings";
import { quoted } from "../../../lib/shell";

/** Labels for the programming languages. */
export const LANGUAGES: Readonly<Record<TemplateLanguage, string>> = { python: "Python", typescript: "TypeScript", rust: "Rust", shell: "Bash" };

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** The validation error of a new member's name; `null` if the name is valid. */
export function nameTrouble(name: string, members: ReadonlyMap<MemberName, unknown>): string | null {
  if (!NAME.test(name)) return "Use 1 to 64 letters, digits, dots, hyphens and underscores. Start with a letter or digit.";
  // Names are compared in lower case, because some file systems ignore case.
  const taken = [...members.keys()].find((member) => member.toLowerCase() === name.toLowerCase());
  return taken === undefined ? null : `A member named ${taken} already exists.`;
}

/**
 * The equivalent command for a terminal. It contains the members' folder, so that the member appears in this
 * roster.
 */
export function beginCommand(name: string, from: TemplateLanguage, folder: string): string {
  return `guildhall add new ${name} --from ${from} --members ${quoted(folder)}`;
}

/** The path of a member's folder, with the path separator that the members' folder uses. */
export function folderOf(name: string, members: string): string {
  const sign = members.includes("\\") && !members.includes("/") ? "\\" : "/";
  return `${members.replace(/[\\/]$/, "")}${sign}${name}`;
}
