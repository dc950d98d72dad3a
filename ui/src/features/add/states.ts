/** States of the Add member dialog for the catalog of UI states. */
import type { BroughtServers, Report } from "../../ipc/bindings";
import type { MockBridge } from "../../ipc/mock";
import { mockPlace, mockServer } from "../../ipc/mock/found";
import { press, whenThere } from "../../testing/acting";
import type { State, Stores } from "../../testing/state";

export const BROKEN: Report = {
  code: "snippet-unreadable",
  message: "The text can't be read: line 3, column 5: expected ',' or '}', found '\"'.",
  hint: "Put a comma between the entries.",
  member: null,
};

const placed = (name: string, line: number) => [mockPlace({ program: "pasted", title: "Pasted text", path: "", line, name })];

/** A pasted text with two servers. One of them has the name of an existing member. */
export function several(): BroughtServers {
  const member = mockServer("git", {
    id: "id-git-member",
    launch: { kind: "command", command: "uvx", args: ["mcp-server-git"], env: [], cwd: null },
    commandLine: "uvx mcp-server-git",
    places: [mockPlace({ program: "guild-hall", title: "Member git", path: "/home/me/guild-members/git", line: 1, name: "git" })],
    state: { kind: "adopted", member: "git" },
  });
  return {
    servers: [
      mockServer("git", { suggested: "git-2", places: placed("git", 4), differs: [member.id] }),
      mockServer("tower", {
        launch: { kind: "url", url: "https://tower.example.com/mcp", headers: [{ name: "X-Api-Key", value: "${input:TOWER_KEY}", secret: false }] },
        commandLine: "https://tower.example.com/mcp",
        places: placed("tower", 9),
        inputs: [{ id: "TOWER_KEY", description: "TOWER_KEY: the text has \"YOUR_KEY\" in its place.", secret: true, required: true, default: null, choices: [] }],
      }),
    ],
    members: [member],
    leftOut: ["Left out, line 2: `npm install` doesn't start a server."],
  };
}

/** One server whose name is not taken. */
function alone(): BroughtServers {
  return { servers: [mockServer("ledger", { places: placed("ledger", 3) })], members: [], leftOut: [] };
}

const bring = (contents: BroughtServers) => (stores: Stores, bridge: MockBridge): void => {
  bridge.adding.contents = contents;
  stores.navigation.openAdding("paste");
  void stores.adding.bring({ kind: "text", text: "…" });
};

export const ADDING_STATES: readonly State[] = [
  { name: "adding", options: () => ({}), arrive: (stores) => stores.navigation.openAdding("paste"), shows: /Nothing runs until you add it/, contrast: true },
  { name: "adding-one", options: () => ({}), arrive: bring(alone()), shows: /1 of 1 selected/ },
  {
    name: "adding-several",
    options: () => ({}),
    arrive: bring(several()),
    shows: /Only what differs is shown/,
    contrast: true,
  },
  { name: "adding-reading", options: () => ({ silent: ["read_brought"] }), arrive: bring(alone()), shows: /Reading the servers/ },
  { name: "adding-broken", options: () => ({ refusing: { read_brought: BROKEN } }), arrive: bring(alone()), shows: /line 3, column 5/ },
  {
    name: "adding-added",
    options: () => ({}),
    arrive: (stores, bridge) => {
      bring(alone())(stores, bridge);
      press("footer button", "Add 1");
    },
    shows: /ledger was added/,
  },
  {
    name: "adding-dropping",
    options: () => ({}),
    arrive: (stores, bridge) => {
      stores.navigation.openAdding("paste");
      whenThere("textarea", () => bridge.drop({ kind: "over" }));
    },
    shows: /to preview it/,
  },
  { name: "adding-bundle", options: () => ({}), arrive: (stores) => stores.navigation.openAdding("bundle"), shows: /Drop an .mcpb bundle here/, contrast: true },
  {
    name: "adding-discard",
    options: () => ({}),
    arrive: (stores) => {
      stores.adding.type("npx -y server");
      stores.navigation.openAdding("paste");
      whenThere("textarea", () => press("footer button", "Cancel"));
    },
    shows: /Discard your input/,
  },
  {
    name: "adding-begun",
    options: () => ({}),
    arrive: (stores) => {
      stores.navigation.openAdding("write");
      press("footer button", "Create member");
    },
    shows: /words was created/,
  },
  { name: "adding-narrow", options: () => ({}), arrive: bring(several()), shows: /tower/, width: 360 },
];
