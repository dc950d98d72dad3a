/** The Agents page: the gateway's switch and state above six tabs. */
import { Switch, Tabs } from "radix-ui";
import { lazy, Suspense, type ReactNode } from "react";

import type { GatewayState } from "../../ipc/bindings";
import { useHall } from "../../lib/hall/hall";
import { useNavigation } from "../../lib/navigation/navigation";
import { AGENT_TABS, type AgentTab } from "../../lib/navigation/places";
import { useStore } from "../../lib/store";
import { Badge } from "../../components/Badge";
import { Button } from "../../components/Button";
import { CopyButton } from "../../components/CopyButton";
import { Icon, Sign } from "../../components/Icon";
import { PageHeader } from "../../components/PageHeader";
import { Reading } from "../../components/Reading";
import { SIGNS } from "../../components/signs";
import { ErrorReport } from "../../components/ErrorReport";
import { useOperation } from "../../lib/useOperation";
import { number } from "../../lib/format";
import { ALL_MEMBERS, useAgents } from "./agents";
import ApprovalsTab from "./approvals/ApprovalsTab";
import { addressOf, gatewayFace, TAB_TITLES } from "./faces";
import { GatewayTab } from "./GatewayTab";

const PoliciesTab = lazy(() => import("./policies/PoliciesTab"));
const ProfilesTab = lazy(() => import("./profiles/ProfilesTab"));
const TrafficTab = lazy(() => import("./traffic/TrafficTab"));
const ConnectTab = lazy(() => import("./connect/ConnectTab"));

export default function AgentsPage({ tab }: { tab: AgentTab }) {
  const agents = useAgents();
  const navigation = useNavigation();
  const gateway = useStore(agents.gateway, (now) => now);
  const trouble = useStore(agents.trouble, (report) => report);
  const waiting = useStore(agents.approvals.open, ({ size }) => size);
  const inside = (one: AgentTab): ReactNode => {
    if (one === "approvals") return <ApprovalsTab />;
    if (one === "traffic") return <TrafficTab />;
    if (!gateway) return trouble ? null : <Reading what="the gateway" className="p-5" />;
    switch (one) {
      case "gateway":
        return <GatewayTab gateway={gateway} />;
      case "policies":
        return <PoliciesTab gateway={gateway} />;
      case "profiles":
        return <ProfilesTab gateway={gateway} />;
      case "connect":
        return <ConnectTab gateway={gateway} />;
    }
  };
  return (
    // In a low window the whole page scrolls, so that a tab keeps a readable height.
    <article className="flex min-h-0 flex-1 flex-col overflow-y-auto" aria-labelledby="agents-title">
      <PageHeader
        id="agents-title"
        title="Agents"
        state={gateway && <GatewaySwitch gateway={gateway} />}
        actions={tab !== "connect" && <Button onClick={() => navigation.openAgents("connect")}><Icon of={SIGNS.plug} />Connect an app…</Button>}
      />
      {trouble && <ErrorReport report={trouble} className="mx-5 mb-2" />}
      {gateway?.error && (
        <ErrorReport report={gateway.error} className="mx-5 mb-2">
          {gateway.error.code === "gateway-port-taken" && <OtherPort gateway={gateway} />}
        </ErrorReport>
      )}
      <Tabs.Root value={tab} onValueChange={(next) => navigation.openAgents(AGENT_TABS.find((one) => one === next))} className="flex min-h-80 flex-1 flex-col scant:min-h-0 scant:flex-none">
        <Tabs.List aria-label="Agents" className="flex shrink-0 flex-wrap gap-x-5 border-b border-line px-5">
          {AGENT_TABS.map((one) => (
            <Tabs.Trigger
              key={one}
              value={one}
              className="-mb-px flex items-center gap-1.5 border-b-2 border-transparent py-2 font-medium text-dim hover:text-text data-[state=active]:border-accent data-[state=active]:text-text"
            >
              {TAB_TITLES[one]}
              {one === "approvals" && waiting > 0 && <Badge tone="warn">{number(waiting)}</Badge>}
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

function GatewaySwitch({ gateway }: { gateway: GatewayState }) {
  const agents = useAgents();
  const hall = useHall();
  const { shape, word, colour } = gatewayFace(gateway);
  const change = (enabled: boolean) =>
    void agents.change("change_gateway", { enabled, port: null, listing: null }).then((refused) => refused && hall.tell(refused));
  return (
    <>
      <label htmlFor="gateway-switch" className="inline-flex items-center gap-2 font-medium">
        <Switch.Root
          id="gateway-switch"
          checked={gateway.enabled}
          onCheckedChange={change}
          className="h-5 w-8 rounded-full border border-control bg-hover p-0.5 data-[state=checked]:border-solid data-[state=checked]:bg-solid"
        >
          <Switch.Thumb className="block size-3.5 rounded-full bg-dim transition-transform data-[state=checked]:translate-x-3 data-[state=checked]:bg-white rtl:data-[state=checked]:-translate-x-3" />
        </Switch.Root>
        Gateway
      </label>
      <span data-testid="gateway-status">
        <Badge tone={gateway.error ? "bad" : gateway.address === null ? "plain" : "ok"}><Sign of={shape} className={colour} />{word}</Badge>
      </span>
      <span className="inline-flex items-center gap-1">
        <code className="font-mono text-sm text-dim select-text">127.0.0.1:{gateway.port}</code>
        <CopyButton icon what="the gateway's URL" text={() => addressOf(gateway, ALL_MEMBERS)} />
      </span>
    </>
  );
}

/** Buttons for a port that another program uses: one takes the next lower port, the other opens the port field. */
function OtherPort({ gateway }: { gateway: GatewayState }) {
  const agents = useAgents();
  const navigation = useNavigation();
  const operation = useOperation();
  const port = gateway.port - 1;
  return (
    <div className="mt-2 flex flex-wrap gap-2">
      <Button unavailable={operation.busy ? "In progress" : undefined} onClick={() => void operation.go(() => agents.change("change_gateway", { enabled: null, port, listing: null }))}>
        Use {port}
      </Button>
      <Button onClick={() => navigation.openAgents("gateway")}>Change port…</Button>
    </div>
  );
}
