/** Mocks the export of a profile for a team. The first member of a profile is always left out. */
import type { ExportTeam, Profile, TeamExport, TeamTarget } from "../bindings";
import { refusal } from "./refusal";

const FILES: Record<TeamTarget, string> = {
  compose: "compose.yaml",
  kubernetes: "kubernetes.yaml",
  agentgateway: "agentgateway.yaml",
  "agentgateway-kubernetes": "agentgateway-kubernetes.yaml",
  toolhive: "toolhive.yaml",
};

export function exportTeam(profiles: readonly Profile[], { profile: name, target, image }: ExportTeam): Promise<TeamExport> {
  const profile = profiles.find((one) => one.name === name);
  if (!profile) return Promise.reject(refusal("profile-unknown", `There is no profile ${name}.`));
  const [first, ...others] = profile.members.map(({ member }) => member);
  return Promise.resolve({
    files: [
      { path: FILES[target], text: `# ${name}\nimage: ${image ?? "none"}\n` },
      { path: "connect/plugin.json", text: `{"name": "team-${name}"}\n` },
    ],
    members: others,
    leftOut: first === undefined ? [] : [{ member: first, why: "it needs the files of its folder" }],
    toSet: [{ name: "token", what: "the token that clients send" }],
    notes: [],
  });
}
