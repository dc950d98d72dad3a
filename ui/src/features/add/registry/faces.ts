/** Labels for the servers of a registry. */
import type { RegistryMember, RegistryRow, RegistryStanding } from "../../../ipc/bindings";
import type { Face } from "../../../components/status";

const STANDING_WORDS: Record<RegistryStanding, string> = { active: "active", deprecated: "deprecated", deleted: "deleted" };

export const STANDING_FACES: Record<RegistryStanding, Face> = {
  active: { shape: "dot", word: STANDING_WORDS.active, colour: "text-ok" },
  deprecated: { shape: "warning", word: STANDING_WORDS.deprecated, colour: "text-warn" },
  deleted: { shape: "cross", word: STANDING_WORDS.deleted, colour: "text-bad" },
};

/** A label that lists the members installed from an entry, with their versions. */
export function membersWords(members: readonly RegistryMember[]): string {
  return members
    .map(({ member, version, newer }) => `${member}${version === "" ? "" : ` ${version}`}${newer ? ", update available" : ""}`)
    .join("; ");
}

/** The accessible name of a row in the search results. */
export function rowWords({ server, title, description, version, standing, kinds, members }: RegistryRow): string {
  return [
    title === "" ? server : `${title}, ${server}`,
    version,
    standing === "active" ? "" : STANDING_WORDS[standing],
    kinds.join(", "),
    members.length > 0 && `installed as ${membersWords(members)}`,
    description,
  ]
    .filter(Boolean)
    .join(", ");
}
