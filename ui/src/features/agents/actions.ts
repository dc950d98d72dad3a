/** The actions of the Agents page for the command palette and the keyboard shortcuts. */
import type { Action } from "../../lib/actions";
import type { Navigation } from "../../lib/navigation/navigation";
import { AGENT_TABS } from "../../lib/navigation/places";
import type { Agents } from "./agents";
import { callWord, leadToApproval } from "./approvals/lead";
import { TAB_TITLES } from "./faces";

const decide = (call: string) => `Review: ${call}`;

/** Maximum number of pending approvals in the command palette. */
const LISTED_MAX = 10;
const GROUP = "Go to";

export function agentActions({ agents, navigation }: { readonly agents: Agents; readonly navigation: Navigation }): Action[] {
  const open = [...agents.approvals.open.get().values()];
  const [oldest] = open;
  return [
    { id: "agents", group: GROUP, title: "Go to Agents", run: () => navigation.openAgents() },
    { id: "catalogue", group: GROUP, title: "Go to All tools", run: () => navigation.openAgents("policies") },
    {
      id: "decide-approval",
      group: GROUP,
      title: oldest ? decide(callWord(oldest)) : "Review the next approval",
      unavailable: oldest ? undefined : "No pending approvals",
      run: () => oldest && leadToApproval({ agents, navigation }, oldest.id),
    },
    ...open.slice(1, LISTED_MAX).map((approval): Action => ({
      id: `decide-approval ${approval.id}`,
      group: GROUP,
      title: decide(callWord(approval)),
      run: () => leadToApproval({ agents, navigation }, approval.id),
    })),
    {
      id: "agents-view",
      group: GROUP,
      title: "Agents: What agents see",
      run: () => {
        agents.previewing.set(true);
        navigation.openAgents("policies");
      },
    },
    ...AGENT_TABS.map((tab): Action => ({
      id: `agents-${tab}`,
      group: GROUP,
      title: `Agents: ${TAB_TITLES[tab]}`,
      run: () => navigation.openAgents(tab),
    })),
  ];
}
