/** States of the servers found in other apps for the catalog of UI states. */
import type { FoundServer, Report } from "../../../ipc/bindings";
import type { MockBridge } from "../../../ipc/mock";
import { mockFile, mockPlace, mockServer } from "../../../ipc/mock/found";
import { press, typeInto, whenThere } from "../../../testing/acting";
import type { State, Stores } from "../../../testing/state";

const CURSOR = { program: "cursor", title: "Cursor", path: "/home/me/.cursor/mcp.json" };
const CODE = { program: "vscode", title: "VS Code", path: "/home/me/work/tower/.vscode/mcp.json", scope: "project" as const, folder: "/home/me/work/tower" };
const ZED = { program: "zed", title: "Zed", path: "/home/me/.config/zed/settings.json" };

const BROKEN: Report = {
  code: "client-config-unreadable",
  message: "Line 31, column 5: a comma or `}` is missing. The servers before it were read.",
  hint: "Fix that line. The file is read again when it changes.",
  member: null,
};

/** Servers of the same name in two apps. Their versions and secrets differ. */
function twoForges(): FoundServer[] {
  const env = [{ name: "FORGE_TOKEN", value: "•••", secret: true }];
  const args = ["--from", "forge-server==2.1.0", "forge"];
  return [
    mockServer("forge", {
      launch: { kind: "command", command: "uvx", args, env, cwd: null },
      commandLine: `uvx ${args.join(" ")}`,
      places: [mockPlace({ name: "forge", line: 12 }), mockPlace({ ...CURSOR, name: "forge", line: 3 })],
      differs: ["id-forge-too"],
    }),
    mockServer("forge", {
      id: "id-forge-too",
      launch: { kind: "command", command: "uvx", args: ["forge-server", "--verbose"], env: [...env, { name: "FORGE_HEAT", value: "900", secret: false }], cwd: "/home/me/work/tower" },
      commandLine: "uvx forge-server --verbose",
      places: [mockPlace({ ...CODE, name: "forge", line: 5 })],
      differs: ["id-forge"],
    }),
  ];
}

/** Two servers whose commands run containers. The first is imported as a container, the second as a command. */
export function contained(): FoundServer[] {
  const args = ["run", "-i", "--rm", "-e", "QUAY_TOKEN", "-v", "/srv/quay:/data:ro", "ghcr.io/example/quay:2"];
  const env = [{ name: "QUAY_TOKEN", value: "•••", secret: true }];
  const part = (name: string, value: string) => ({ name, value, secret: false });
  const parts = [part("image", "ghcr.io/example/quay:2"), part("engine", "docker"), part("network", "bridge"), part("mount /data", "/srv/quay (read only)"), part("pull", "missing")];
  const outside = [...env, { name: "DOCKER_CLI_HINTS", value: "false", secret: false }];
  return [
    mockServer("quay", {
      launch: { kind: "command", command: "docker", args, env: outside, cwd: null },
      commandLine: `docker ${args.join(" ")}`,
      container: { kind: "container", parts, args: [], env, keptOutside: ["DOCKER_CLI_HINTS"] },
      places: [mockPlace({ name: "quay", line: 7 })],
    }),
    mockServer("stow", {
      launch: { kind: "command", command: "docker", args: ["run", "-i", "-v", "stow-memory:/data", "example/stow"], env: [], cwd: null },
      commandLine: "docker run -i -v stow-memory:/data example/stow",
      container: { kind: "command", reasons: ["`stow-memory` is a volume of the engine, not a folder"] },
      places: [mockPlace({ ...ZED, name: "stow", line: 44 })],
    }),
  ];
}

export function mixed(): FoundServer[] {
  return [
    ...twoForges(),
    mockServer("git", { state: { kind: "adopted", member: "git" }, places: [mockPlace({ ...CURSOR, name: "git", line: 9 })] }),
    mockServer("guild-hall", {
      launch: { kind: "url", url: "http://127.0.0.1:19999/mcp", headers: [{ name: "Authorization", value: "Bearer •••", secret: true }] },
      commandLine: "http://127.0.0.1:19999/mcp",
      places: [mockPlace({ name: "guild-hall", line: 20 })],
      state: { kind: "gateway" },
    }),
    mockServer("ledger", {
      launch: { kind: "url", url: "https://ledger.example.com/mcp", headers: [{ name: "X-Api-Key", value: "•••", secret: true }] },
      commandLine: "https://ledger.example.com/mcp",
      places: [mockPlace({ ...CODE, name: "ledger", line: 14 })],
      inputs: [
        { id: "ledger-key", description: "Key of the ledger", secret: true, required: true, default: null, choices: [] },
        { id: "region", description: "", secret: false, required: true, default: "eu", choices: ["eu", "us"] },
        { id: "env:LEDGER_USER", description: "Not set in the environment.", secret: false, required: false, default: null, choices: [] },
      ],
      autoApprove: ["read_entry", "list_entries"],
      notes: ["`timeout` is not carried over: 5 minutes for each call."],
    }),
    mockServer("old", {
      launch: null,
      commandLine: "",
      places: [mockPlace({ ...ZED, name: "old", line: 40 })],
      state: { kind: "unusable", report: { code: "found-server-unusable", message: "It needs the transport `ws`, which Guild Hall doesn't support.", hint: "Find another address of the server.", member: null } },
    }),
    mockServer("scribe", { disabled: true, places: [mockPlace({ ...ZED, name: "scribe", line: 51, disabled: true })] }),
  ];
}

/** Adds servers in every state to the mock. */
export function fill(bridge: MockBridge): void {
  bridge.found.change(mixed(), [
    mockFile({ servers: 2 }),
    mockFile({ ...CURSOR, servers: 2 }),
    mockFile({ ...CODE, servers: 2 }),
    mockFile({ ...ZED, servers: 2, error: BROKEN }),
    mockFile({ program: "codex", title: "Codex", path: "/home/me/.codex/config.toml", exists: false, servers: 0 }),
  ]);
}

const LONG_COMMAND = `sh -c "${"curl -fsSL https://packages.example.org/a-very-long-path/without-any-space | tee /tmp/x && ".repeat(12)}${"x".repeat(300)}\u202egnp.exe"`;

export function longOnes(): FoundServer[] {
  return [
    mockServer("long", {
      name: "a server of a name that goes on and on ".repeat(5).trim(),
      launch: { kind: "command", command: "sh", args: ["-c", LONG_COMMAND], env: [{ name: "A_VARIABLE_OF_MANY_WORDS_".repeat(4), value: "v".repeat(400), secret: false }], cwd: `/home/me/${"deep/".repeat(60)}` },
      commandLine: LONG_COMMAND,
      places: [mockPlace({ path: `/home/me/${"a-folder-with-a-long-name/".repeat(9)}claude.json`, line: 123_456 })],
    }),
    mockServer("long-too", { id: "id-rtl", name: "שרת הכלים", commandLine: "npx -y שרת-הכלים --מצב=מהיר", places: [mockPlace({ name: "שרת הכלים" })] }),
  ];
}

export function many(count: number): FoundServer[] {
  return Array.from({ length: count }, (_, index) => {
    const name = `server-${String(index).padStart(3, "0")}`;
    return mockServer(name, { places: [mockPlace({ name, line: index + 3 }), mockPlace({ ...CURSOR, name, line: index + 4 })] });
  });
}

const open = (stores: Stores, bridge: MockBridge): void => {
  fill(bridge);
  stores.navigation.openFound();
};

const tick = (name: string, then: () => void = () => undefined): void =>
  whenThere(`[aria-label^="Import ${name} from"]`, (box) => {
    box.click();
    then();
  });

export const FOUND_STATES: readonly State[] = [
  { name: "found", options: () => ({}), arrive: open, shows: /Found 6 servers in 4 apps/, contrast: true },
  { name: "found-nothing", options: () => ({ members: [] }), arrive: (stores) => stores.navigation.openFound(), shows: /No servers in your other apps/ },
  { name: "found-loading", options: () => ({ silent: ["found_servers"] }), arrive: (stores) => stores.navigation.openFound(), shows: /Reading the files of other apps/ },
  {
    name: "found-refused",
    options: () => ({ refusing: { found_servers: { code: "shutting-down", message: "Guild Hall is closing.", hint: "", member: null } } }),
    arrive: (stores) => stores.navigation.openFound(),
    shows: /is closing/,
  },
  {
    name: "found-selected",
    options: () => ({}),
    arrive: (stores, bridge) => {
      open(stores, bridge);
      tick("ledger", () => press("footer button", "Add 1"));
    },
    shows: /Required/,
    contrast: true,
  },
  {
    name: "found-contained",
    options: () => ({}),
    arrive: (stores, bridge) => {
      bridge.found.change(contained());
      stores.navigation.openFound();
      tick("quay");
    },
    shows: /Keep the command unchanged/,
    contrast: true,
  },
  {
    name: "found-compared",
    options: () => ({}),
    arrive: (stores, bridge) => {
      open(stores, bridge);
      whenThere('[aria-label="Details of forge"]', (button) => button.click());
    },
    shows: /Only what differs is shown/,
  },
  {
    name: "found-failed",
    options: () => ({}),
    arrive: (stores, bridge) => {
      bridge.found.refusing.set("id-scribe", { code: "adoption-refused", message: "The folder of the members can't be written.", hint: "Give yourself the right to.", member: null });
      open(stores, bridge);
      tick("forge", () => tick("scribe", () => press("footer button", "Add 2")));
    },
    shows: /1 server added, 1 server failed/,
  },
  {
    name: "found-changed",
    options: () => ({}),
    arrive: (stores, bridge) => {
      open(stores, bridge);
      tick("scribe", () => setTimeout(() => bridge.found.change(mixed().filter(({ name }) => name !== "scribe"))));
    },
    shows: /no longer selected/,
  },
  {
    name: "found-filtered",
    options: () => ({}),
    arrive: (stores, bridge) => {
      bridge.found.change(many(20));
      stores.navigation.openFound();
      whenThere('[aria-label^="Filter by name"]', (field) => typeInto(field, "zeppelin"));
    },
    shows: /No matches/,
  },
  {
    name: "found-long",
    options: () => ({}),
    arrive: (stores, bridge) => {
      bridge.found.change(longOnes());
      stores.navigation.openFound();
    },
    shows: /202E/,
  },
  {
    name: "found-many",
    options: () => ({}),
    arrive: (stores, bridge) => {
      bridge.found.change(many(200));
      stores.navigation.openFound();
    },
    shows: /200 servers/,
  },
  { name: "found-narrow", options: () => ({}), arrive: open, shows: /ledger/, width: 360 },
  {
    name: "no-members-found",
    options: () => ({ members: [] }),
    arrive: (_house, bridge) => fill(bridge),
    shows: /Review 4 servers/,
  },
];
