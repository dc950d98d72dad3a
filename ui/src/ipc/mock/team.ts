/** Mocks the export of a profile for a team. The first member of a profile is always left out. */
import type { ExportTeam, Profile, TeamExport } from "../bindings";
import { refusal } from "./refusal";

export function exportTeam(profiles: readonly Profile[], { profile: name, target, image }: ExportTeam): Promise<TeamExport> {
  const profile = profiles.find((one) => one.name === name);
  if (!profile) return Promise.reject(refusal("profile-unknown", `There is no profile ${name}.`));
  const [first, ...others] = profile.members.map(({ member }) => member);
  const applied = target === "compose" ? "compose.yaml" : "kubernetes.yaml";
  return Promise.resolve({
    files: [
      { path: applied, text: `# ${name}\nimage: ${image}\n` },
      { path: "connect/plugin.json", text: `{"name": "team-${name}"}\n` },
    ],
    members: others,
    leftOut: first === undefined ? [] : [{ member: first, why: "it needs the files of its folder" }],
    toSet: [{ name: "token", what: "the token that clients send" }],
    notes: [],
  });
}
