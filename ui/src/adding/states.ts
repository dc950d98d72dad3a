/** The states of the page for adding members, for the catalogue. */
import type { House } from "../app/house";
import type { BroughtServers, Report } from "../bridge/bindings";
import type { FakeBridge } from "../bridge/fake";
import { fakePlace, fakeServer } from "../bridge/fake/found";
import { press, whenThere } from "../testing/acting";
import type { State } from "../testing/states";

export const BROKEN: Report = {
  code: "snippet-unreadable",
  message: "The text can't be read: line 3, column 5: expected ',' or '}', found '\"'.",
  hint: "Put a comma between what stands side by side.",
  member: null,
};

const placed = (name: string, line: number) => [fakePlace({ program: "pasted", title: "Pasted text", path: "", line, name })];

/** A page that shows two servers and how one is installed; one has the name of a member. */
export function several(): BroughtServers {
  const member = fakeServer("git", {
    id: "id-git-member",
    launch: { kind: "command", command: "uvx", args: ["mcp-server-git"], env: [], cwd: null },
    commandLine: "uvx mcp-server-git",
    places: [fakePlace({ program: "guild-hall", title: "Member git", path: "/home/me/guild-members/git", line: 1, name: "git" })],
    state: { kind: "adopted", member: "git" },
  });
  return {
    servers: [
      fakeServer("git", { suggested: "git-2", places: placed("git", 4), differs: [member.id] }),
      fakeServer("tower", {
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

/** One server that no member has the name of. */
function alone(): BroughtServers {
  return { servers: [fakeServer("ledger", { places: placed("ledger", 3) })], members: [], leftOut: [] };
}

const bring = (contents: BroughtServers) => (house: House, bridge: FakeBridge): void => {
  bridge.adding.contents = contents;
  house.openAdding("paste");
  void house.adding.bring({ kind: "text", text: "…" });
};

export const ADDING_STATES: readonly State[] = [
  { name: "adding", options: () => ({}), arrive: (house) => house.openAdding("paste"), shows: /Nothing pasted yet/, contrast: true },
  { name: "adding-one", options: () => ({}), arrive: bring(alone()), shows: /1 server selected/ },
  {
    name: "adding-several",
    options: () => ({}),
    arrive: (house, bridge) => {
      bring(several())(house, bridge);
      press('[data-testid="found-server"] button', "≠ Differs");
    },
    shows: /Only what differs is shown/,
    contrast: true,
  },
  { name: "adding-reading", options: () => ({ silent: ["read_brought"] }), arrive: bring(alone()), shows: /Reading what was brought/ },
  { name: "adding-broken", options: () => ({ refusing: { read_brought: BROKEN } }), arrive: bring(alone()), shows: /line 3, column 5/ },
  {
    name: "adding-adopted",
    options: () => ({}),
    arrive: (house, bridge) => {
      bring(alone())(house, bridge);
      press('[aria-label="Selected servers"] button', "Import 1");
    },
    shows: /1 server imported/,
  },
  {
    name: "adding-dropping",
    options: () => ({}),
    arrive: (house, bridge) => {
      house.openAdding("paste");
      whenThere('[aria-label="Paste"]', () => bridge.drop({ kind: "over" }));
    },
    shows: /Nothing is started by it/,
  },
  {
    name: "adding-begun",
    options: () => ({}),
    arrive: (house) => {
      house.openAdding("write");
      press("button", "Create member");
    },
    shows: /words was created/,
  },
  { name: "adding-narrow", options: () => ({}), arrive: bring(several()), shows: /tower/, width: 360 },
];
