/**
 * Recorded answers of the engine by command, and the shape in which tests give others. The recorded
 * view of an agent answers for any members of the fake hall and for any profile.
 */
import type { Commands } from "../bridge/bindings";
import { agentView, agentViewInSearch, agentViewOfMember, foundForMelting, foundForNothing } from "./generated/recorded";

export type Answers = {
  [K in keyof Commands]?: (request: Commands[K]["request"]) => Commands[K]["response"] | Promise<Commands[K]["response"]>;
};

export const RECORDED = {
  view_as_agent: ({ endpoint, listing }) => {
    if (endpoint.kind === "member") return agentViewOfMember;
    return listing === "search" ? agentViewInSearch : agentView;
  },
  find_for_task: ({ task }) => (task.includes("melt") ? foundForMelting : foundForNothing),
} satisfies Answers;
