/** States of a member's process and of its log for the catalog of UI states. */
import type { FoundBy, ManifestProblem, MemberView, Report } from "../../ipc/bindings";
import type { MockBridge, MockOptions } from "../../ipc/mock";
import { mockMember, mockTool, mockView } from "../../ipc/mock/members";
import { press, typeInto, whenThere } from "../../testing/acting";
import type { State, Stores } from "../../testing/state";

const ago = (seconds: number) => Date.now() - seconds * 1_000;

function report(code: Report["code"], message: string, hint: string): Report {
  return { code, message, hint, member: "forge" };
}

const STRANGER = "Process 4711 (`node /srv/other/index.js`) of the user `me` answered on port 20003, and it is not the member's own.";
const HELD = report("port-held", STRANGER, "End it if it is not wanted, then restart the member.");
const EXPOSED = report("port-exposed", "The server listens on all addresses of port 20003, so other machines can reach it.", "Have it listen on 127.0.0.1.");

function forge(changes: Partial<MemberView>, stderr: readonly string[] = []): () => MockOptions {
  return () => {
    const view = mockView("forge", { description: "Heats, shapes and cools metal", ...changes });
    const tools = [mockTool("forge", { name: "heat", description: "Heats a piece." })];
    return { members: [mockMember(view, tools, { command: "npx -y @forge/server --port 20003", stderr: [...stderr] })], picks: "/home/me/forge.log" };
  };
}

const down = (changes: Partial<MemberView>, stderr?: readonly string[]) => forge({ pid: null, port: null, protocolVersion: null, freshness: "cached", ...changes }, stderr);

const open = (stores: Stores): void => {
  stores.navigation.openMember("forge");
  stores.roster.setExpanded("forge", true);
};

const FETCHING = "npm http fetch GET 200 https://registry.example/forge/-/forge-2.4.0.tgz 8213ms";
const installing = (changes: Partial<MemberView>) => down({ status: "starting", lastStderr: FETCHING, ...changes }, [FETCHING]);

const SAID = ["Discovery mode", '{"functions": [{"name": "heat", "description": "Heats a piece."}]}'];

const TOOLS = [
  mockTool("forge", { name: "look", title: "Look at a piece", description: "Describes a piece of metal.", hints: { readOnly: true } }),
  mockTool("forge", { name: "price", title: "Ask for a price", description: "Asks a market for the price of iron.", hints: { readOnly: true, openWorld: true } }),
  mockTool("forge", { name: "heat", title: "Heat a piece", description: "Heats a piece until it can be shaped." }),
  mockTool("forge", { name: "melt", title: "Melt a piece", description: "Melts a piece down. Its shape is lost.", hints: { destructive: true } }),
];

const SWORD = mockTool("forge", { name: "sword", description: "Forges a sword from a bar of steel." });

function tabled(count: number): () => MockOptions {
  return () => {
    const view = mockView("forge", { description: "Heats, shapes and cools metal", pid: 41_207, protocolVersion: "2025-11-25" });
    const more = Array.from({ length: count }, (_, index) => ({ ...SWORD, summary: { ...SWORD.summary, name: `sword_${index + 1}` } }));
    return { members: [mockMember(view, [...TOOLS, ...more], { command: "npx -y @forge/server" })] };
  };
}

const configured = (stores: Stores): void => {
  stores.navigation.openConfiguration("forge");
};

const BAD_TRANSPORT: ManifestProblem = { line: 4, column: 16, field: "transport", message: '`transport` must be one of "http", "stdio"; found "pipe"', hint: "Did you mean stdio?", severity: "error" };
const UNKNOWN_FIELD: ManifestProblem = { line: 5, column: 3, field: "commnd", message: "`commnd` is not a field of a manifest", hint: "", severity: "warning" };

/** States of the Configuration tab and of the dialogs that a member's menu opens. */
export const MANAGING_STATES: readonly State[] = [
  { name: "member-configuration", options: forge({}), arrive: configured, shows: /Environment[^]*Save changes/, contrast: true },
  {
    name: "member-configuration-problems",
    options: () => ({ ...forge({})(), answers: { check_member_file: { problems: [BAD_TRANSPORT, UNKNOWN_FIELD] } } }),
    arrive: configured,
    shows: /must be one of/,
  },
  { name: "member-configuration-narrow", options: forge({}), arrive: configured, shows: /Save changes/, width: 400 },
  { name: "member-rename", options: forge({}), arrive: (stores) => stores.managing.open("rename", "forge"), shows: /Rename forge/ },
  { name: "member-remove", options: forge({}), arrive: (stores) => stores.managing.open("remove", "forge"), shows: /Moves its folder to the trash/, contrast: true },
];

export const SUPERVISION_STATES: readonly State[] = [
  { name: "member-tools", options: tabled(0), arrive: open, shows: /Ask for a price[^]*Destructive[^]*Allow/, contrast: true },
  { name: "member-tools-many", options: tabled(200), arrive: open, shows: /sword_9/ },
  { name: "member-tools-unknown", options: down({ status: "stopped", freshness: "unknown" }), arrive: open, shows: /Tools/ },
  {
    name: "member-parsed",
    options: () => {
      const options = down({ status: "error", freshness: "cached", error: report("handshake-failed", "The server did not answer the handshake within 10 s.", "Its log may say why.") }, SAID)();
      const found: FoundBy = { rung: "openai-functions", stream: "stderr", confidence: "high" };
      return { ...options, members: (options.members ?? []).map((member) => ({ ...member, found })) };
    },
    arrive: open,
    shows: /found in a list of OpenAI functions on its stderr/,
  },
  { name: "member-queued", options: down({ status: "starting", step: "queued", sinceMs: ago(2) }), arrive: open, shows: /queued/ },
  { name: "member-installing", options: installing({ step: "installing", sinceMs: ago(12) }), arrive: open, shows: /installing, \d/ },
  {
    name: "member-installing-long",
    options: installing({ step: "overtime", sinceMs: ago(94) }),
    arrive: open,
    shows: /still installing[^]*Give up/,
    contrast: true,
  },
  { name: "member-late", options: down({ status: "starting", step: "late", sinceMs: ago(44) }), arrive: open, shows: /still starting[^]*Give up/ },
  {
    name: "member-exposed",
    options: forge({ transport: "http", port: 20_003, warnings: [EXPOSED] }),
    arrive: open,
    shows: /exposed[^]*other machines can reach it/,
    contrast: true,
  },
  { name: "member-port-held", options: down({ status: "error", error: HELD, transport: "http", freshness: "outdated" }), arrive: open, shows: /End it if it is not wanted/ },
  {
    name: "member-port-moved",
    options: forge({ transport: "http", port: 20_004, warnings: [{ ...HELD, message: `${STRANGER} The member was started on port 20004.` }] }),
    arrive: open,
    shows: /was started on port 20004/,
  },
];

const COLOURS = ["\u001b[32mINFO\u001b[0m the fire is lit", "\u001b[33mWARN\u001b[0m coal for 3 pieces", "\u001b[31mERROR\u001b[0m no fuel at ./coal"];
const PAST = Array.from({ length: 12_000 }, (_, index) => `${COLOURS[index % COLOURS.length] ?? ""}, turn ${index}`);

const logged = forge({ pid: 41_207 }, PAST);

const openLog = (stores: Stores): void => {
  stores.navigation.openMember("forge", true);
  stores.roster.setExpanded("forge", true);
};

/** Opens the log, and calls `then` when its lines are rendered. */
function thenWith(then: (bridge: MockBridge) => void): NonNullable<State["arrive"]> {
  return (stores, bridge) => {
    openLog(stores);
    whenThere('[data-testid="log"] [style]', () => then(bridge));
  };
}

const search = (text: string) => thenWith(() => whenThere('[aria-label="Search the log"]', (field) => typeInto(field, text)));

export const LOG_STATES: readonly State[] = [
  { name: "log", options: logged, arrive: openLog, shows: /1,000 lines[^]*turn 11/, contrast: true },
  {
    name: "log-earlier",
    options: logged,
    arrive: thenWith(() => press("button", "Load earlier lines")),
    shows: /2,000 lines/,
  },
  { name: "log-reading", options: () => ({ ...logged(), silent: ["read_member_log"] }), arrive: openLog, shows: /Reading the log/ },
  {
    name: "log-unreadable",
    options: () => ({ ...logged(), refusing: { read_member_log: report("log-unwritable", "The log's files can't be read: permission denied (os error 13).", "Look at the folder's rights.") } }),
    arrive: openLog,
    shows: /can't be read: permission denied/,
    code: "log-unwritable",
  },
  { name: "log-empty", options: forge({}), arrive: openLog, shows: /No log output yet/ },
  { name: "log-search", options: logged, arrive: search("turn 1199"), shows: /1[0-9] lines found/ },
  { name: "log-search-earlier", options: logged, arrive: search("no fuel"), shows: /[0-9] lines found[^]*Search earlier lines/ },
  { name: "log-search-nothing", options: logged, arrive: search("zeppelin"), shows: /No matching lines/ },
  {
    name: "log-flooded",
    options: logged,
    arrive: thenWith((bridge) => bridge.write("forge", ["the flood is over", "the fire is lit again"], 48_211)),
    shows: /48,211 skipped/,
  },
  {
    name: "log-paused",
    options: logged,
    arrive: thenWith((bridge) => {
      press("button", "Auto-scroll");
      // The button that scrolls to the end appears after automatic scrolling has stopped.
      whenThere('[data-testid="log"] + button', () => bridge.write("forge", PAST.slice(0, 12)));
    }),
    shows: /12 new lines/,
  },
  {
    name: "log-restarted",
    options: forge({ pid: 41_300 }, PAST.slice(0, 6)),
    arrive: thenWith((bridge) => bridge.emit({ kind: "stderr", member: "forge", lines: bridge.logs.write("forge", ["started anew"], true), skipped: 0 })),
    shows: /Run 2/,
  },
  { name: "log-saved", options: logged, arrive: thenWith(() => whenThere('[aria-label="Download log"]:not([aria-disabled="true"])', (button) => button.click())), shows: /12,000 lines written to/ },
  { name: "log-narrow", options: logged, arrive: openLog, shows: /1,000 lines[^]*turn 11/, width: 400 },
];
