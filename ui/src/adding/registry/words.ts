/** What registries list, in words. */
import type { RegistryMember, RegistryRow, RegistrySource, RegistryStanding } from "../../bridge/bindings";
import { counted } from "../../words/count";
import { ago } from "../../words/time";

export interface Face {
  readonly shape: string;
  readonly word: string;
  readonly colour: string;
}

const STANDINGS: Record<RegistryStanding, Face> = {
  active: { shape: "●", word: "active", colour: "text-ok" },
  deprecated: { shape: "▲", word: "deprecated", colour: "text-warn" },
  deleted: { shape: "✕", word: "deleted", colour: "text-bad" },
};

/** Whether a server is there to be used. */
export function standingFace(standing: RegistryStanding): Face {
  return STANDINGS[standing];
}

/** What a source is, and how old what is known of it is. */
export function sourceWords({ isFile, asOfMs, servers }: RegistrySource, nowMs: number): string {
  if (asOfMs === null) return isFile ? "The file is not there." : "It was not read yet.";
  const count = servers === null ? "" : `${counted(servers, "server")}, `;
  const when = isFile ? `changed ${ago(asOfMs, nowMs)}` : `read ${ago(asOfMs, nowMs)}`;
  return `${count}${when}`;
}

/** Whether members were installed from an entry, in a few words; empty where none was. */
export function membersWords(members: readonly RegistryMember[]): string {
  return members
    .map(({ member, version, newer }) => `${member}${version === "" ? "" : ` ${version}`}${newer ? ", a newer one is listed" : ""}`)
    .join("; ");
}

/** A server of the list for a screen reader. */
export function rowWords({ server, title, description, version, standing, kinds, members }: RegistryRow): string {
  return [
    title === "" ? server : `${title}, ${server}`,
    version,
    standing === "active" ? "" : standing,
    kinds.join(", "),
    members.length > 0 && `installed as ${membersWords(members)}`,
    description,
  ]
    .filter(Boolean)
    .join(", ");
}
