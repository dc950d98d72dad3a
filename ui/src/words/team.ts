import type { TeamTarget } from "../bridge/bindings";

const targets: Record<TeamTarget, string> = { compose: "a compose file", kubernetes: "Kubernetes manifests" };

export const words = {
  forTeam: "For a team…",
  oneForTeam: (profile: string) => `${profile} for a team`,
  title: (profile: string) => `The profile ${profile} for a team`,
  about: "Files that run its members behind a gateway that the team has already, and the member that connects this app to it. No secret is in them.",
  target: "As",
  targets,
  image: "Image with guildhall",
  imageSays: "It also has the programs that the members are started by, such as npx and uvx.",
  gatewayImage: "Image of the team's gateway",
  gatewayImageSays: "It runs beside Guild Hall, and is the only one that others reach, on port 8080.",
  url: "Address for the app",
  urlSays: "Where this app reaches the profile there; empty for this machine.",
  wantsImages: "Name both images first",
  busy: "It is being done",
  show: "Show",
  close: "Close",
  preview: "What it would be",
  runs: (members: readonly string[]) => `Runs there: ${members.join(", ")}.`,
  leftOut: "Members that do not run there",
  doesNotRun: "{member} does not run there: {why}.",
  toSet: "To be set there, and in no file",
  noDialog: "There is no dialog for folders here; copy the files instead",
  write: "Write into a folder…",
  written: "Written files",
  isWritten: (folder: string) => `Written into ${folder}.`,
};
