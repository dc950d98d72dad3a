/** What concerns agents: the gateway, what it gives to whom, what they ask. */
import { Tabs } from "radix-ui";
import { lazy, Suspense, type ReactNode } from "react";

import { useHouse } from "../app/house";
import { useStore } from "../hall/store";
import { Sign } from "../parts/Icon";
import { Reading } from "../parts/Reading";
import { Trouble } from "../parts/Trouble";
import { number } from "../words/format";
import { AGENT_TABS, type AgentTab } from "./agents";
import ApprovalsTab from "./approvals/ApprovalsTab";
import { GatewayTab } from "./GatewayTab";
import { gatewayFace, tabWord } from "./faces";

const ViewTab = lazy(() => import("./view/ViewTab"));
const PoliciesTab = lazy(() => import("./policies/PoliciesTab"));
const ProfilesTab = lazy(() => import("./profiles/ProfilesTab"));
const TrafficTab = lazy(() => import("./traffic/TrafficTab"));
const ConnectTab = lazy(() => import("./connect/ConnectTab"));

export default function AgentsPage({ tab }: { tab: AgentTab }) {
  const house = useHouse();
  const { agents } = house;
  const gateway = useStore(agents.gateway, (now) => now);
  const trouble = useStore(agents.trouble, (report) => report);
  const waiting = useStore(agents.approvals.open, ({ size }) => size);
  const face = gateway && gatewayFace(gateway);
  const inside = (one: AgentTab): ReactNode => {
    if (one === "approvals") return <ApprovalsTab />;
    if (one === "traffic") return <TrafficTab />;
    if (!gateway) return trouble ? null : <Reading what="the gateway" className="p-4" />;
    switch (one) {
      case "gateway":
        return <GatewayTab gateway={gateway} />;
      case "view":
        return <ViewTab gateway={gateway} />;
      case "policies":
        return <PoliciesTab gateway={gateway} />;
      case "profiles":
        return <ProfilesTab gateway={gateway} />;
      case "connect":
        return <ConnectTab gateway={gateway} />;
    }
  };
  return (
    // In a low window all of it scrolls: what a tab holds keeps a height to be read in.
    <article className="flex min-h-0 flex-1 flex-col overflow-y-auto" aria-labelledby="agents-title">
      <header className="flex shrink-0 flex-wrap items-baseline gap-x-3 px-4 pt-3">
        <h1 id="agents-title" className="text-lg font-semibold">Agents</h1>
        {face && (
          <p data-testid="gateway-status">
            <Sign of={face.shape} className={`me-1 ${face.colour}`} />{face.word}
          </p>
        )}
      </header>
      {trouble && <Trouble report={trouble} className="mx-4 mt-2" />}
      <Tabs.Root value={tab} onValueChange={(next) => house.openAgents(AGENT_TABS.find((one) => one === next))} className="flex min-h-80 flex-1 flex-col scant:min-h-0 scant:flex-none">
        <Tabs.List aria-label="What concerns agents" className="flex shrink-0 flex-wrap gap-1 border-b border-line px-3 pt-1">
          {AGENT_TABS.map((one) => (
            <Tabs.Trigger
              key={one}
              value={one}
              className="-mb-px border-b-2 border-transparent px-2 py-1 text-dim hover:text-text data-[state=active]:border-accent data-[state=active]:text-text"
            >
              {tabWord(one)}
              {one === "approvals" && waiting > 0 && ` (${number(waiting)})`}
            </Tabs.Trigger>
          ))}
        </Tabs.List>
        {AGENT_TABS.map((one) => (
          <Tabs.Content key={one} value={one} className="flex min-h-0 flex-1 flex-col overflow-y-auto outline-offset-[-2px]">
            <Suspense fallback={<div aria-busy className="flex-1" />}>{inside(one)}</Suspense>
          </Tabs.Content>
        ))}
      </Tabs.Root>
    </article>
  );
}
