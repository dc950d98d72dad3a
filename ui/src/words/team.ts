import type { TeamTarget } from "../bridge/bindings";

const targets: Record<TeamTarget, string> = { compose: "a compose file", kubernetes: "Kubernetes manifests" };

export const words = {
  targets,
};
