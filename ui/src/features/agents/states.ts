/** States of the Agents page for the catalog of UI states. */
import type { AgentClient, Exchange, GatewayState, Report } from "../../ipc/bindings";
import type { MockBridge, MockOptions } from "../../ipc/mock";
import { TAKEN_PORT } from "../../ipc/mock/gateway";
import { mockFile, mockPlace, mockServer } from "../../ipc/mock/found";
import { mockMember, mockTool, mockView } from "../../ipc/mock/members";
import type { AgentTab } from "../../lib/navigation/places";
import { press } from "../../testing/acting";
import type { State, Stores } from "../../testing/state";
import { leadToApproval } from "./approvals/lead";
import { NO_RULES } from "./policies/policyWords";
import { agentViewOfNothing, agentViewUnderPolicies, smithy, viewOfMany } from "./testing";

type Arrive = NonNullable<State["arrive"]>;

const MINUTE_MS = 60_000;
const LONG_NAME = "an-agent-of-a-name-that-is-as-long-as-a-name-may-be-and-then-some-more-words-x";

function guild(): MockOptions {
  const bellows = mockMember(mockView("bellows", { status: "disabled" }), [mockTool("bellows", { name: "blow", description: "Blows." })]);
  return { members: [smithy(), bellows] };
}

/** Two members without known tools: reading the tools of one failed, and the tools of the other were never read. */
function unread(): MockOptions {
  const error = report("handshake-failed", "The server answered nothing that could be understood.", "Look at its log.");
  const broken = mockMember(mockView("broken", { status: "error", freshness: "unknown", error, listedAtMs: null }), []);
  const asleep = mockMember(mockView("asleep", { status: "stopped", freshness: "unknown", listedAtMs: null }), []);
  return { members: [smithy(), broken, asleep] };
}

function report(code: Report["code"], message: string, hint = ""): Report {
  return { code, message, hint, member: null };
}

const open = (tab: AgentTab): Arrive => (stores) => stores.navigation.openAgents(tab);

/** Changes the mock gateway's state, then opens a tab of the Agents page. */
function as(changes: Partial<GatewayState>, tab: AgentTab): Arrive {
  return (stores, bridge) => {
    bridge.gateway.change(changes);
    stores.navigation.openAgents(tab);
  };
}

const clients: AgentClient[] = [
  { id: "client-1", name: "claude-code", tokenEnd: "d1b4", createdAtMs: Date.now() - 9_000 * MINUTE_MS, lastUsedMs: Date.now() - 2 * MINUTE_MS, endpoints: null },
  { id: "client-2", name: "סוכן הבית", tokenEnd: "9c0e", createdAtMs: Date.now() - 60 * MINUTE_MS, lastUsedMs: null, endpoints: [] },
  { id: "client-3", name: LONG_NAME, tokenEnd: "77aa", createdAtMs: Date.now() - MINUTE_MS, lastUsedMs: null, endpoints: [{ kind: "profile", profile: "writing" }, { kind: "member", member: "smithy" }] },
];

const profiles: GatewayState["profiles"] = [
  {
    name: "writing",
    listing: "search",
    resultTokens: null,
    rules: { ...NO_RULES, destructive: "deny" },
    members: [
      {
        member: "smithy",
        withoutPrefix: true,
        tools: { kind: "only", tools: ["melt", "gone_since"] },
        offers: { kind: "all" },
        changes: { melt: { name: "melt_down", description: "Melts a piece, for good.", policy: "ask" } },
      },
      { member: "bellows", withoutPrefix: false, tools: { kind: "all" }, offers: { kind: "all" }, changes: {} },
    ],
  },
];

function edit(bridge: MockBridge, stores: Stores): void {
  bridge.gateway.change({ profiles });
  stores.navigation.openAgents("profiles");
  const [profile] = profiles;
  if (profile) stores.agents.editing.set({ original: profile.name, profile });
}

function warehouse(): MockOptions {
  const tools = Array.from({ length: 2_000 }, (_, index) =>
    mockTool("warehouse", {
      name: `item_${String(index).padStart(4, "0")}_${index % 3 === 0 ? "lookup" : "update"}`,
      description: `Works on item ${index}.`,
      hints: index % 3 === 0 ? { readOnly: true } : { destructive: index % 7 === 0 },
    }),
  );
  return { members: [mockMember(mockView("warehouse"), tools)] };
}

const preview = (stores: Stores): void => {
  stores.agents.previewing.set(true);
  stores.navigation.openAgents("policies");
};

const part = (words: string): Arrive => (stores, bridge) => {
  bridge.answers.view_as_agent = () => agentViewUnderPolicies;
  preview(stores);
  press('[data-testid="agent-view"] [role="tab"]', words);
};

function exchanges(): (Partial<Exchange> & Pick<Exchange, "method">)[] {
  return Array.from({ length: 40 }, (_, index) => {
    const call = index % 3 !== 0;
    return {
      method: call ? "tools/call" : "tools/list",
      client: index % 5 === 4 ? LONG_NAME : index % 2 === 0 ? "claude-code" : "cursor",
      atMs: Date.now() - index * 1_300,
      member: call ? "smithy" : null,
      tool: call ? (index % 4 === 0 ? "חישול" : "melt") : null,
      durationUs: 84 * (index + 1) ** 2,
      error: index % 7 === 5 ? "The member ended while the call ran." : null,
      request: '{"name":"smithy__melt","arguments":{"path":"sword","token":"•••"}}',
      response: '{"content":[{"type":"text","text":"It glows."}]}',
    };
  });
}

const traffic: Arrive = (stores, bridge) => {
  bridge.gateway.see(exchanges());
  stores.navigation.openAgents("traffic");
};

/** Two apps whose config files have an entry for the gateway. Guild Hall wrote only one of the entries. */
const connected: Arrive = (stores, bridge) => {
  const { configs } = bridge.gateway;
  const change = { client: "claude-code", path: null, endpoint: { kind: "all" }, handOver: false, allTools: false } as const;
  configs.write({ ...change, precondition: configs.preview(change).precondition });
  configs.files.set("/home/me/.cursor/mcp.json", '{"mcpServers":{"guild-hall":{}}}');
  stores.navigation.openAgents("connect");
};

/** The config file of Cursor still has an entry for a server that is also a member. */
const moving: Arrive = (stores, bridge) => {
  const place = { program: "cursor", title: "Cursor", path: "/home/me/.cursor/mcp.json", scope: "user" as const, folder: null };
  bridge.found.change(
    [mockServer("smithy", { places: [mockPlace({ ...place, name: "smithy" })], state: { kind: "adopted", member: "smithy" } })],
    [mockFile({ ...place, handing: { adopted: ["smithy"], connected: false, canUndo: false, then: "Switch the server on." } })],
  );
  stores.navigation.openAgents("connect");
};

/** Creates pending approvals and opens the oldest one. */
function approving(...more: Parameters<MockBridge["gateway"]["askFor"]>[0][]): Arrive {
  return (stores, bridge) => {
    for (const one of more) void bridge.gateway.askFor(one);
    // The approval can be opened only after its event has arrived.
    setTimeout(() => leadToApproval(stores, "approval-1"), 100);
  };
}

const MELT = { member: "smithy", tool: "melt", arguments: '{"path": "sword", "amount": 9007199254740993}' };

export const AGENT_STATES: readonly State[] = [
  { name: "agents-gateway", options: guild, arrive: as({ clients }, "gateway"), shows: /claude-code[^]*Revoke/, contrast: true },
  { name: "agents-gateway-empty", options: guild, arrive: open("gateway"), shows: /No clients yet/ },
  { name: "agents-loading", options: () => ({ silent: ["gateway", "gateway_traffic"] }), arrive: open("gateway"), shows: /Reading the gateway/ },
  {
    name: "agents-unreadable",
    options: () => ({ refusing: { gateway: report("gateway-settings", "gateway.json can't be used: expected `,` at line 3.", "Mend the file; it is read again by itself.") } }),
    arrive: open("gateway"),
    shows: /can't be used/,
  },
  {
    name: "agents-port-taken",
    options: guild,
    arrive: (stores, bridge) => {
      void bridge.call("change_gateway", { enabled: null, port: TAKEN_PORT, listing: null });
      stores.navigation.openAgents("gateway");
    },
    shows: /taken by another program/,
  },
  { name: "agents-off", options: guild, arrive: as({ enabled: false, address: null, tokensRequired: false }, "gateway"), shows: /No token needed/ },
  {
    name: "agents-token",
    options: guild,
    arrive: (stores, bridge) => {
      stores.navigation.openAgents("gateway");
      void bridge.call("add_agent_client", { name: "claude-code", endpoints: null }).then((added) => stores.agents.added.set(added));
    },
    shows: /won't be shown again/,
    contrast: true,
  },
  { name: "agents-narrow", options: guild, arrive: as({ clients }, "gateway"), shows: /Revoke/, width: 360 },

  { name: "agent-view", options: guild, arrive: part("Tools"), shows: /smithy__melt/, contrast: true },
  { name: "agent-view-withheld", options: guild, arrive: part("Hidden"), shows: /Its permission is Deny/ },
  { name: "agent-view-cost", options: guild, arrive: part("Cost"), shows: /Share/ },
  { name: "agent-view-bench", options: guild, arrive: part("Search"), shows: /Describe a task/ },
  { name: "agent-view-payload", options: guild, arrive: part("Payload"), shows: /result of tools\/list/ },
  { name: "agent-view-many", options: () => ({ ...warehouse(), answers: { view_as_agent: viewOfMany } }), arrive: preview, shows: /warehouse__item_0003/ },
  { name: "agent-view-empty", options: () => ({ members: [], answers: { view_as_agent: () => agentViewOfNothing } }), arrive: preview, shows: /No tools for agents here/ },
  { name: "agent-view-loading", options: () => ({ silent: ["view_as_agent"] }), arrive: preview, shows: /Reading the preview/ },
  {
    name: "agent-view-unreadable",
    options: () => ({ refusing: { view_as_agent: report("profile-unknown", "There is no profile called writing.", "Choose another endpoint.") } }),
    arrive: preview,
    shows: /no profile called writing/,
  },
  { name: "agent-view-narrow", options: guild, arrive: part("Tools"), shows: /smithy__melt/, width: 360 },

  { name: "policies", options: guild, arrive: open("policies"), shows: /look[^]*melt/, contrast: true },
  {
    name: "policies-rules",
    options: guild,
    arrive: (stores, bridge) => {
      bridge.gateway.policies.manifest.set("smithy/חישול", "deny");
      as({ rules: { ...NO_RULES, readOnly: "allow", destructive: "ask" } }, "policies")(stores, bridge);
    },
    shows: /Destructive tools/,
    contrast: true,
  },
  { name: "policies-unknown", options: unread, arrive: open("policies"), shows: /Not readable/, code: "handshake-failed" },
  {
    name: "policies-profile",
    options: guild,
    arrive: (stores, bridge) => {
      stores.agents.governed.set("writing");
      as({ profiles }, "policies")(stores, bridge);
    },
    shows: /A profile can restrict permissions/,
  },
  { name: "policies-many", options: warehouse, arrive: open("policies"), shows: /item_0001_update/ },
  { name: "policies-empty", options: () => ({ members: [] }), arrive: open("policies"), shows: /No tools yet/ },
  { name: "policies-narrow", options: guild, arrive: open("policies"), shows: /melt/, width: 360 },

  { name: "profiles", options: guild, arrive: as({ profiles }, "profiles"), shows: /writing[^]*smithy, bellows/ },
  { name: "profiles-empty", options: guild, arrive: open("profiles"), shows: /No profiles yet/ },
  { name: "profile-edited", options: guild, arrive: (stores, bridge) => edit(bridge, stores), shows: /Members and tools/, contrast: true },
  {
    name: "profile-tools",
    options: guild,
    arrive: (stores, bridge) => {
      edit(bridge, stores);
      press('[aria-label="Tools of smithy"]', "Tools");
    },
    shows: /No longer in the member/,
  },
  { name: "profile-narrow", options: guild, arrive: (stores, bridge) => edit(bridge, stores), shows: /Members and tools/, width: 360 },
  {
    name: "profile-refused",
    options: () => ({ ...guild(), refusing: { save_profile: report("profile-refused", "Two tools would be called melt_down.", "Give one of them another name.") } }),
    arrive: (stores, bridge) => {
      edit(bridge, stores);
      stores.agents.editing.update((edited) => edited && { ...edited, profile: { ...edited.profile, listing: "full" } });
      press('button[type="submit"]', "Save");
    },
    shows: /Two tools would be called/,
  },

  { name: "approval", options: guild, arrive: approving(MELT), shows: /wants to run melt[^]*Approve once/, contrast: true },
  {
    name: "approval-queue",
    options: guild,
    arrive: approving(MELT, { ...MELT, client: LONG_NAME, expiresAtMs: Date.now() + 20_000 }, { ...MELT, client: "סוכן הבית", tool: "חישול" }),
    shows: /3 pending, oldest first/,
  },
  { name: "approval-notice", options: guild, arrive: (_house, bridge) => void bridge.gateway.askFor(MELT), shows: /wants to run melt/ },
  { name: "approval-unknown-tool", options: guild, arrive: approving({ member: "smithy", tool: "gone", arguments: '{"a":1}' }), shows: /has no tool "gone"/ },
  { name: "approvals-empty", options: guild, arrive: open("approvals"), shows: /No pending approvals/ },
  { name: "approval-narrow", options: guild, arrive: approving(MELT), shows: /Approve once/, width: 360 },

  { name: "traffic", options: guild, arrive: traffic, shows: /tools\/call/, contrast: true },
  {
    name: "traffic-opened",
    options: guild,
    arrive: (stores, bridge) => {
      traffic(stores, bridge);
      stores.agents.traffic.opened.set(2);
    },
    shows: /secrets masked/,
  },
  { name: "traffic-empty", options: guild, arrive: open("traffic"), shows: /No requests yet/ },
  { name: "traffic-loading", options: () => ({ silent: ["gateway_traffic"] }), arrive: open("traffic"), shows: /Reading the activity/ },
  {
    name: "traffic-unreadable",
    options: () => ({ refusing: { gateway_traffic: report("connection-failed", "The window got no answer from Guild Hall.") } }),
    arrive: open("traffic"),
    shows: /got no answer/,
  },
  { name: "traffic-narrow", options: guild, arrive: traffic, shows: /tools\/call/, width: 360 },

  { name: "connect", options: guild, arrive: open("connect"), shows: /Claude Code[^]*Not installed/, contrast: true },
  {
    name: "connect-preview",
    options: guild,
    arrive: (stores) => {
      stores.navigation.openAgents("connect");
      press('[data-testid="program-claude-code"] button', "Connect…");
    },
    shows: /Changes/,
  },
  { name: "connect-connected", options: guild, arrive: connected, shows: /Connected[^]*Disconnect/ },
  { name: "connect-move", options: guild, arrive: moving, shows: /Move 1 server/ },
  { name: "connect-loading", options: () => ({ silent: ["client_configs"] }), arrive: open("connect"), shows: /Reading the apps' files/ },
  {
    name: "connect-unreadable",
    options: () => ({ refusing: { client_configs: report("data-unwritable", "The home folder can't be read.", "Look at its rights.") } }),
    arrive: open("connect"),
    shows: /home folder can't be read/,
  },
  { name: "connect-off", options: guild, arrive: as({ enabled: false, address: null }, "connect"), shows: /The gateway is off/ },
  { name: "connect-narrow", options: guild, arrive: open("connect"), shows: /adds one entry with its own token/, width: 360 },
];
