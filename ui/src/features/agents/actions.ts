/** The actions of the agents page, for the palette and the shortcuts. */
import type { Action } from "../../app/actions";
import type { House } from "../../app/house";
import { AGENT_TABS } from "./agents";
import { callWord, leadToApproval } from "./approvals/lead";
import { tabWord } from "./faces";

const decide = (call: string) => `Review: ${call}`;

/** Maximum number of waiting calls in the palette. */
const LISTED_MAX = 10;
const GROUP = "Go to";

export function agentActions(house: House): Action[] {
  const open = [...house.agents.approvals.open.get().values()];
  const [oldest] = open;
  return [
    { id: "agents", group: GROUP, title: "Go to Agents", run: () => house.openAgents() },
    { id: "catalogue", group: GROUP, title: "Go to All tools", run: () => house.openAgents("policies") },
    {
      id: "decide-approval",
      group: GROUP,
      title: oldest ? decide(callWord(oldest)) : "Review the next approval",
      unavailable: oldest ? undefined : "No pending approvals",
      run: () => oldest && leadToApproval(house, oldest.id),
    },
    ...open.slice(1, LISTED_MAX).map((approval): Action => ({
      id: `decide-approval ${approval.id}`,
      group: GROUP,
      title: decide(callWord(approval)),
      run: () => leadToApproval(house, approval.id),
    })),
    {
      id: "agents-view",
      group: GROUP,
      title: "Agents: What agents see",
      run: () => {
        house.agents.previewing.set(true);
        house.openAgents("policies");
      },
    },
    ...AGENT_TABS.map((tab): Action => ({
      id: `agents-${tab}`,
      group: GROUP,
      title: `Agents: ${tabWord(tab)}`,
      run: () => house.openAgents(tab),
    })),
  ];
}
