import type { Group } from "../app/actions";

const groups: Record<Group, string> = { Find: "Find", Tool: "Tool", Member: "Member", "Go to": "Go to", Window: "Window" };

export const words = {
  groups,

  restart: (member: string | null) => `Restart ${member ?? "the member"}`,
  start: (member: string | null) => `Start ${member ?? "the member"}`,
  stop: (member: string | null) => `Stop ${member ?? "the member"}`,
  refresh: (member: string | null) => `Refresh the tool list of ${member ?? "the member"}`,
  resources: (member: string | null) => (member === null ? "Show the member's resources" : `Show the resources of ${member}`),
  prompts: (member: string | null) => (member === null ? "Show the member's prompts" : `Show the prompts of ${member}`),
};
