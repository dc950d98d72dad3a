import type { RegistryStanding } from "../bridge/bindings";
import { counted } from "./format";

const servers = (count: number) => counted(count, { one: "server", other: "servers" });

const standings: Record<RegistryStanding, string> = { active: "active", deprecated: "deprecated", deleted: "deleted" };

/** What a way to run a server is; of a kind that is not among them its own word is shown. */
const kinds: Record<string, string> = {
  npm: "npm package",
  pypi: "Python package",
  oci: "container image",
  nuget: "NuGet package",
  mcpb: "bundle",
  remote: "runs elsewhere",
};

export const words = {
  servers,

  standings,
  /** `version` is empty where it is not known. */
  installedFromHere: (member: string, version: string, newer: boolean) =>
    `The member ${member} was installed from here${version === "" ? "" : `, version ${version}`}${newer ? "; a newer one is listed" : ""}.`,
  openMember: (member: string) => `Open ${member}`,

  kinds,
};
