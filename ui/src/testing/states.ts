/**
 * The catalog of states that the window must show well, such as empty, loading and failed ones. Each state has the
 * options of a mock bridge and the steps that reach it. states.test.tsx checks all states for accessibility
 * violations, and `cargo xtask screenshots --states` takes screenshots of them.
 */
import { ADDING_STATES } from "../features/add/states";
import { REGISTRY_STATES } from "../features/add/registry/states";
import { AGENT_STATES } from "../features/agents/states";
import { APP_STATES } from "../features/apps/states";
import { BUNDLE_STATES } from "../app/states";
import type { CallEnd, MemberView, Report } from "../ipc/bindings";
import type { MockOptions } from "../ipc/mock";
import { mockMember, mockTool, mockView, type MockMember } from "../ipc/mock/members";
import { DISCOVERY_STATES } from "../features/settings/discovery/states";
import { DOCTOR_STATES } from "../features/settings/doctor/states";
import { QUESTION_STATES } from "../features/elicitation/states";
import { FOUND_STATES } from "../features/add/found/states";
import { HELP_STATES } from "../features/help/states";
import { HISTORY_STATES } from "../features/history/states";
import { DEV_STATES } from "../features/member/dev/states";
import { OFFER_STATES } from "../features/member/offers/states";
import { SIGN_IN_STATES } from "../features/member/signIn/states";
import { LOG_STATES, MANAGING_STATES, SUPERVISION_STATES } from "../features/member/states";
import { REVIEW_STATES } from "../features/review/states";
import { SECRET_STATES } from "../features/settings/secrets/states";
import { SETTINGS_STATES } from "../features/settings/states";
import { draftFromJson } from "../features/form/model/json";
import type { State, Stores } from "./state";
import { press, typeInto, whenThere } from "./acting";

const ago = (seconds: number) => Date.now() - seconds * 1_000;

function report(member: string | null, code: Report["code"], message: string, hint = ""): Report {
  return { code, message, hint, member };
}

const SET_TOOL = mockTool("forge", {
  name: "set_of_pieces",
  description: "Forges several pieces at once.",
  hints: { readOnly: false, destructive: false },
  input: {
    type: "object",
    required: ["pieces", "folder_path"],
    properties: {
      folder_path: { type: "string", description: "Folder for the drawings on this computer" },
      pieces: {
        type: "array",
        description: "Pieces of the set",
        items: { type: "object", required: ["name"], properties: { name: { type: "string" }, hardened: { type: "boolean" } } },
      },
      tags: { type: "array", items: { type: "string" }, description: "Words to find the set by" },
      finish: { enum: ["as forged", "brushed", "polished", "blackened", "waxed", "oiled"], default: "waxed" },
      due: { type: "string", format: "date" },
      note: { type: ["string", "null"], examples: ["For the market"] },
    },
  },
});

const FORGE_TOOLS = [
  mockTool("forge", {
    name: "heat",
    title: "Heat a piece",
    description: "Heats a piece of metal until it can be shaped. The piece stays in the fire until it is taken out.",
    hints: { destructive: true, openWorld: true },
    input: {
      type: "object",
      required: ["piece"],
      properties: {
        piece: { type: "string", description: "Which piece" },
        degrees: { type: "integer", minimum: 200, maximum: 1_500, default: 900, description: "How hot, in °C" },
        metal: { type: "string", enum: ["iron", "copper", "bronze"], default: "iron" },
        watch: { type: "boolean", description: "Answer only when it glows" },
      },
    },
  }),
  mockTool("forge", { name: "quench", description: "Cools a piece in water.", hints: { idempotent: true } }),
  mockTool("forge", { name: "inspect", description: "Says how a piece looks.", hints: { readOnly: true } }),
];

function forge(changes: Partial<MemberView> = {}, extra: Partial<MockMember> = {}): MockMember {
  const view = mockView("forge", {
    version: "2.4.0",
    description: "Heats, shapes and cools metal",
    transport: "http",
    port: 20_003,
    pid: 41_207,
    protocolVersion: "2025-11-25",
    ...changes,
  });
  const stderr = ["\u001b[32mINFO\u001b[0m listening on 127.0.0.1:20003", "\u001b[32mINFO\u001b[0m the fire is lit"];
  return { ...mockMember(view, FORGE_TOOLS, { command: "/opt/forge/bin/forge --port 20003", stderr }), ...extra };
}

const down = (status: MemberView["status"], more: Partial<MemberView> = {}) =>
  forge({ status, pid: null, port: null, protocolVersion: null, ...more });

/** Options with a single member. Each window gets a new instance. */
const only = (member: () => MockMember, more: MockOptions = {}) => (): MockOptions => ({ members: [member()], ...more });

function openForge(stores: Stores): void {
  stores.navigation.openMember("forge");
  stores.roster.setExpanded("forge", true);
}

function openHeat(stores: Stores): void {
  stores.roster.setExpanded("forge", true);
  stores.navigation.openTool("forge", "heat");
}

/** Opens the tool `heat` and calls it. The call ends with `end`; with `null`, it never ends. */
function calling(end: CallEnd | null): Pick<State, "options" | "arrive"> {
  return {
    options: only(() => forge(), {
      onCall: (_request, progress) => {
        progress(3, 8, "the fire is at 540 °C");
        return end ? Promise.resolve(end) : new Promise(() => undefined);
      },
    }),
    arrive: (stores) => {
      openHeat(stores);
      void stores.bench.run("forge", "heat", '{"piece":"horseshoe"}', "refuse");
    },
  };
}

const answered = (content: unknown[], isError = false): CallEnd => ({
  kind: "result",
  result: JSON.stringify({ content }),
  isError,
});

const resulting = (result: unknown): CallEnd => ({ kind: "result", result: JSON.stringify(result), isError: false });

const NOTES = "# Notes\n\n- buy screws\n- call Anna, see [the plan](https://example.org/plan)\n";
const PIECES = Array.from({ length: 12 }, (_, index) => ({ id: index + 1, name: `horseshoe ${index + 1}`, celsius: 500 + index * 40, done: index < 5 }));

const broken = (failure: Report, lastWords: string): CallEnd => ({
  kind: "failed",
  report: failure,
  rpc: null,
  arguments: [],
  stderr: [{ seq: 1, start: 1, atMs: ago(1), text: lastWords }],
});

const search = (text: string) => (): void => whenThere('[data-testid="search"]', (field) => typeInto(field, text));

function palette(text: string) {
  return (stores: Stores): void => {
    stores.palette.open("");
    if (text !== "") whenThere('[data-testid="palette-input"]', (field) => typeInto(field, text));
  };
}

const LONG_NAME = `measure_${"every_single_part_of_the_piece_".repeat(8)}`.slice(0, 256);
const LONG_MEMBER = "a-member-whose-name-has-the-full-sixty-four-characters-allowed-x";

function longNames(): MockMember {
  const view = mockView(LONG_MEMBER, { description: "D".repeat(400), version: "1.0.0-prerelease.20261121+build.4711" });
  return mockMember(view, [
    mockTool(LONG_MEMBER, {
      name: LONG_NAME,
      title: "W".repeat(200),
      description: `${"Unbroken".repeat(60)} and then some words.`,
      hints: { readOnly: true, idempotent: true, openWorld: true },
      input: { type: "object", properties: { ["x".repeat(200)]: { type: "string", description: "Y".repeat(300) } } },
    }),
  ]);
}

function rightToLeft(): MockMember {
  const view = mockView("souk", { description: "سوق الأدوات: tools of the market (v2)" });
  return mockMember(view, [
    mockTool("souk", {
      name: "חפש-קובץ_v2",
      title: "חיפוש קובץ (file.txt)",
      description: "מחפש קובץ לפי שם, לדוגמה report.pdf, ומחזיר את הנתיב שלו.",
      input: {
        type: "object",
        required: ["الاسم"],
        properties: { الاسم: { type: "string", description: "اسم الملف، مثلا report-2026.pdf" } },
      },
    }),
    mockTool("souk", { name: "قائمة", description: "يعرض كل الأدوات." }),
    mockTool("souk", { name: "list_all", description: "Lists everything: הכול." }),
  ]);
}

function manyTools(): MockMember {
  const tools = Array.from({ length: 2_202 }, (_, index) =>
    mockTool("warehouse", {
      name: `item_${String(index).padStart(4, "0")}_${index % 3 === 0 ? "lookup" : "update"}`,
      description: `Works on item ${index}.`,
      hints: index % 3 === 0 ? { readOnly: true } : { destructive: index % 7 === 0 },
    }),
  );
  return mockMember(mockView("warehouse", { pid: 41_399 }), tools);
}

/** A member for each freshness of a tool list, and one with an empty list. */
function freshnesses(): MockMember[] {
  const tools = (name: string) => [mockTool(name, { name: `${name}_tool`, description: "" })];
  return [
    mockMember(mockView("a-live"), tools("a-live")),
    mockMember(mockView("b-cached", { status: "stopped", freshness: "cached", lifecycle: "on-demand" }), tools("b-cached")),
    mockMember(mockView("c-outdated", { status: "stopped", freshness: "outdated" }), tools("c-outdated")),
    mockMember(mockView("d-refreshing", { freshness: "refreshing" }), tools("d-refreshing")),
    mockMember(mockView("e-unknown", { status: "stopped", freshness: "unknown" }), []),
    mockMember(mockView("f-empty"), []),
  ];
}

const EXITED = report(
  "forge",
  "member-exited",
  "The process ended with exit code 1 before its handshake was done. Last line on stderr: Error: no fuel at ./coal",
  "Put coal where `FORGE_FUEL` points to, then restart the member.",
);
const OFFLINE = report(
  "forge",
  "connection-failed",
  "No connection to http://127.0.0.1:20003/mcp: connection refused (os error 111).",
  "Look at its log, or restart the member.",
);
const NO_ANSWER = report(null, "connection-failed", "The window got no answer from Guild Hall: the channel is closed.", "Close the window and open it again.");

export const STATES: readonly State[] = [
  { name: "welcome", options: () => ({}), shows: /Welcome to Guild Hall/, contrast: true },
  {
    name: "crashed",
    options: () => ({
      crashes: [
        { name: "crash-2.txt", atMs: Date.now() - 7_200_000, program: "guild-hall", version: "0.2.0", message: "panicked at src-tauri/src/desktop/tray.rs:41:18:\nindex out of bounds: the len is 3 but the index is 3" },
        { name: "crash-1.txt", atMs: Date.now() - 90_000_000, program: "guildhall", version: "0.1.0", message: "" },
      ],
    }),
    shows: /guild-hall crashed 2 h ago/,
    contrast: true,
  },
  { name: "no-members", options: () => ({ members: [] }), shows: /Your guild is empty/ },
  {
    name: "folder-unreadable",
    options: () => ({
      members: [],
      folderError: report(null, "members-folder-unreadable", "The members' folder can't be read: permission denied (os error 13).", "Give yourself the right to read it, or choose another folder with --members."),
    }),
    shows: /can't be read/,
  },
  { name: "roster-loading", options: () => ({ withOpening: false, silent: ["roster", "app_info"] }), shows: /Reading the members/ },
  {
    name: "program-gone",
    options: () => ({ withOpening: false, refusing: { roster: NO_ANSWER, app_info: NO_ANSWER } }),
    shows: /got no answer from Guild Hall/,
  },
  {
    name: "lists",
    options: () => ({ members: freshnesses() }),
    arrive: (stores) => {
      for (const { name } of stores.hall.state.get().members) stores.roster.setExpanded(name, true);
    },
    shows: /It has no tools/,
  },
  {
    name: "list-reading",
    options: only(() => forge(), { silent: ["member_tools"] }),
    arrive: (stores) => stores.roster.setExpanded("forge", true),
    shows: /Reading the list/,
  },
  {
    name: "list-unreadable",
    options: only(() => forge(), { refusing: { member_tools: report("forge", "list-failed", "The list has a broken page 3.") } }),
    arrive: (stores) => stores.roster.setExpanded("forge", true),
    shows: /list could not be read/,
  },
  { name: "many-tools", options: only(manyTools), arrive: (stores) => stores.roster.setExpanded("warehouse", true), shows: /item_0003_lookup/ },
  { name: "search", options: () => ({}), arrive: search("file"), shows: /found/ },
  { name: "search-nothing", options: () => ({}), arrive: search("zeppelin"), shows: /No matching tools/ },

  { name: "member-ready", options: only(() => forge()), arrive: openForge, shows: /Ready[^]*Heats a piece/ },
  { name: "member-loading", options: only(() => forge(), { silent: ["member_detail"] }), arrive: openForge, shows: /Tools/ },
  {
    name: "member-starting",
    options: only(() => down("starting", { freshness: "cached", sinceMs: ago(4), lastStderr: "npm: fetching forge@2.4.0 …" })),
    arrive: openForge,
    shows: /npm: fetching/,
  },
  {
    name: "member-backoff",
    options: only(() => down("backoff", { freshness: "cached", attempt: 3, retryAtMs: ago(-7), error: EXITED })),
    arrive: openForge,
    shows: /retrying (in \d+ s|now)/,
  },
  {
    name: "member-crash-loop",
    options: only(() => down("crash-loop", { freshness: "outdated", attempt: 5, error: EXITED })),
    arrive: openForge,
    shows: /won't restart by itself/,
    contrast: true,
  },
  { name: "member-disabled", options: only(() => down("disabled", { freshness: "cached" })), arrive: openForge, shows: /in plugin.json/ },
  { name: "member-offline", options: only(() => down("error", { freshness: "cached", error: OFFLINE })), arrive: openForge, shows: /Look at its log, or restart/ },
  {
    name: "member-unreadable",
    options: only(() => forge(), { refusing: { member_detail: report("forge", "manifest-unreadable", "plugin.json can't be read: permission denied.") } }),
    arrive: openForge,
    shows: /plugin.json can't be read/,
  },
  {
    name: "member-warnings",
    options: only(
      () => forge(
        { warnings: [report("forge", "port-exposed", "It listens on all addresses, so other machines can reach it.", "Have it listen on 127.0.0.1.")] },
        { problems: [{ index: 3, name: "melt", reason: "its input schema is no object" }] },
      ),
    ),
    arrive: openForge,
    shows: /other machines[^]*1 entry of the list/,
  },
  {
    name: "member-removed",
    options: () => ({ members: [forge(), ...freshnesses()] }),
    arrive: (stores, bridge) => {
      openForge(stores);
      bridge.remove("forge");
    },
    shows: /is not in the members folder/,
  },

  { name: "tool", options: only(() => forge()), arrive: openHeat, shows: /Heats a piece/, contrast: true },
  {
    name: "tool-problems",
    options: only(() => forge()),
    arrive: (stores) => {
      openHeat(stores);
      whenThere("[data-place='/degrees'] input", (field) => {
        typeInto(field, "1,5");
        press("[data-testid=run]", "Run");
      });
    },
    shows: /1 problem/,
  },
  {
    name: "tool-list",
    options: only(() => ({ ...forge(), tools: [SET_TOOL] })),
    arrive: (stores) => {
      const draft = draftFromJson('{"folder_path":"/home/me/drawings","pieces":[{"name":"hook","hardened":true},{"name":"nail"}],"tags":["brass","small"]}');
      stores.bench.keepDraft("forge/set_of_pieces", draft);
      stores.navigation.openTool("forge", "set_of_pieces");
    },
    shows: /Pieces of the set/,
  },
  { name: "tool-no-arguments", options: only(() => forge()), arrive: (stores) => stores.navigation.openTool("forge", "quench"), shows: /takes no arguments/ },
  { name: "tool-loading", options: only(() => forge(), { silent: ["tool_detail"] }), arrive: openHeat, shows: /Reading the tool/ },
  { name: "tool-unknown", options: only(() => forge()), arrive: (stores) => stores.navigation.openTool("forge", "melt"), shows: /no tool "melt"/ },
  { name: "tool-outdated", options: only(() => down("stopped", { freshness: "outdated" })), arrive: openHeat, shows: /Outdated/ },
  { name: "tool-disabled", options: only(() => down("disabled", { freshness: "cached" })), arrive: openHeat, shows: /can't be called/ },
  { name: "call-running", ...calling(null), shows: /540 °C/ },
  {
    name: "call-starting-member",
    options: only(() => down("stopped", { freshness: "cached" }), { startMs: 3_600_000 }),
    arrive: (stores) => {
      openHeat(stores);
      void stores.bench.run("forge", "heat", '{"piece":"horseshoe"}', "refuse");
    },
    shows: /Starting forge/,
  },
  { name: "call-ok", ...calling(answered([{ type: "text", text: "The horseshoe glows at 900 °C." }])), shows: /glows at 900/ },
  { name: "call-markdown", ...calling(resulting({ content: [{ type: "text", text: NOTES }], structuredContent: { content: NOTES } })), shows: /buy screws[^]*⟨https:[^]*Same as text/, contrast: true },
  { name: "call-table", ...calling(resulting({ content: [], structuredContent: { pieces: PIECES } })), shows: /Structured[^]*horseshoe 3/ },
  { name: "call-json", ...calling(resulting({ content: [{ type: "text", text: JSON.stringify({ piece: "horseshoe", heats: [540, 720, 900], done: true }) }] })), shows: /JSON[^]*"horseshoe"[^]*9 lines/ },
  {
    name: "call-confirm",
    ...calling(null),
    arrive: (stores) => {
      openHeat(stores);
      const asked = { text: '{"piece":"horseshoe","degrees":900}', check: "refuse", timeoutMs: null } as const;
      whenThere("[data-testid=run]", () => stores.desk.asked.set({ key: "forge/heat", asked }));
    },
    shows: /may delete or overwrite data/,
    contrast: true,
  },
  {
    name: "call-compare",
    ...calling(null),
    options: only(() => forge(), { onCall: (request) => Promise.resolve(resulting({ content: [], structuredContent: { pieces: PIECES.slice(request.arguments.length % 3) } })) }),
    arrive: (stores) => {
      openHeat(stores);
      void (async () => {
        await stores.bench.run("forge", "heat", "{}", "refuse");
        await stores.bench.run("forge", "heat", '{"piece":"horseshoe"}', "refuse");
        whenThere('[aria-label="Call 2 of this tool"]', (button) => button.dispatchEvent(new PointerEvent("pointerdown", { button: 0, bubbles: true })));
        whenThere("[role=menuitem]", (item) => item.click());
      })();
    },
    shows: /lines? removed/,
  },
  { name: "call-tool-error", ...calling(answered([{ type: "text", text: "There is no piece called horseshoe." }], true)), shows: /no piece called/ },
  { name: "call-failed", ...calling(broken(report("forge", "call-interrupted", "The member ended while the call ran."), "panic: the fire is out")), shows: /ended while the call ran/ },

  {
    name: "long-names",
    options: only(longNames),
    arrive: (stores) => {
      stores.roster.setExpanded(LONG_MEMBER, true);
      stores.navigation.openTool(LONG_MEMBER, LONG_NAME);
    },
    shows: /and then some words/,
  },
  {
    name: "right-to-left",
    options: only(rightToLeft),
    arrive: (stores) => {
      stores.roster.setExpanded("souk", true);
      stores.navigation.openTool("souk", "חפש-קובץ_v2");
    },
    shows: /מחפש קובץ/,
  },
  { name: "right-to-left-member", options: only(rightToLeft), arrive: (stores) => stores.navigation.openMember("souk"), shows: /Lists everything/ },
  { name: "right-to-left-policies", options: only(rightToLeft), arrive: (stores) => stores.navigation.openAgents("policies"), shows: /Read-only tools[^]*list_all/ },
  { name: "palette", options: () => ({}), arrive: palette("file"), shows: /Tools \(/, contrast: true },
  {
    name: "palette-lately",
    options: () => ({}),
    arrive: (stores) => {
      stores.navigation.openTool("filesystem", "read_file");
      stores.navigation.openMember("playwright");
      palette("")(stores);
    },
    shows: /Recent/,
  },
  {
    name: "palette-many",
    options: only(manyTools),
    arrive: (stores) => stores.palette.open("/"),
    shows: /2,202 found/,
  },
  { name: "palette-help", options: () => ({}), arrive: palette("?"), shows: /Search for/ },
  { name: "palette-actions", options: () => ({}), arrive: palette(">call"), shows: /No call is running/ },
  { name: "palette-reading", options: () => ({ silent: ["member_tools"] }), arrive: palette("zzz"), shows: /Loading tools/ },
  { name: "palette-nothing", options: () => ({}), arrive: palette("zzzzzz"), shows: /No results/ },
  { name: "keys", options: () => ({}), arrive: (stores) => stores.layers.open("keys"), shows: /In the roster/ },
  {
    name: "warnings",
    options: () => ({}),
    arrive: (stores, bridge) => {
      bridge.emit({ kind: "warning", report: report("forge", "duplicate-name", "Two folders are called forge; the second is left out.", "Give one of them another name.") });
      bridge.emit({ kind: "warning", report: report(null, "folder-unsafe", "The folder `loop` is a link that leads round in a circle.") });
      stores.layers.open("warnings");
    },
    shows: /leads round in a circle/,
  },
  {
    name: "notices",
    options: () => ({ members: [forge()], refusing: { restart_member: EXITED, refresh_tool_caches: OFFLINE } }),
    arrive: (stores) => {
      void stores.hall.tend("restart_member", "forge");
      void stores.hall.refreshAll();
    },
    shows: /no fuel at/,
  },
  { name: "narrow", options: only(() => forge()), arrive: openHeat, shows: /Heats a piece/, width: 480 },
  {
    name: "narrow-drawer",
    options: () => ({}),
    arrive: (stores) => {
      stores.roster.setExpanded("filesystem", true);
      stores.layers.open("drawer");
    },
    shows: /read_file/,
    width: 480,
  },
  { name: "stacked", ...calling(answered([{ type: "text", text: "The horseshoe glows at 900 °C." }])), shows: /glows at 900/, width: 900 },
  ...QUESTION_STATES,
  ...OFFER_STATES,
  ...APP_STATES,
  ...SIGN_IN_STATES,
  ...HISTORY_STATES,
  ...AGENT_STATES,
  ...DISCOVERY_STATES,
  ...DOCTOR_STATES,
  ...FOUND_STATES,
  ...ADDING_STATES,
  ...SECRET_STATES,
  ...SETTINGS_STATES,
  ...SUPERVISION_STATES,
  ...MANAGING_STATES,
  ...REGISTRY_STATES,
  ...REVIEW_STATES,
  ...DEV_STATES,
  ...LOG_STATES,
  ...BUNDLE_STATES,
  ...HELP_STATES,
];
