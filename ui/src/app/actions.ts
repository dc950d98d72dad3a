/** The one list of what can be done, for the palette, the keys, the sheet of keys and the hints. */
import { agentActions } from "../agents/actions";
import type { MemberView } from "../bridge/bindings";
import type { ToolFormHandle } from "../form/ToolForm";
import { runningReadings } from "../member/offers/desk";
import { offerActions } from "../member/offers/actions";
import { questionActions } from "../elicitation/lead";
import { runningRuns } from "../hall/workbench";
import { THEMES, themeFace } from "../words/theme";
import { helpActions } from "./helpActions";
import { goToTab, nextRegion, tabsHere } from "./regions";
import { memberOf, type House } from "./house";
import { setTheme } from "./theme";

/** In the order in which the sheet of keys shows them. */
export const GROUPS = ["Find", "Tool", "Member", "Go to", "Window"] as const;
export type Group = (typeof GROUPS)[number];

export interface Action {
  id: string;
  title: string;
  group: Group;
  /**
   * Such as `Ctrl+Shift+R`; on macOS Cmd stands for Ctrl. A bare character, such as `/`, counts
   * only where nobody is typing.
   */
  keys?: string;
  /** A second key for the same. */
  alsoKeys?: string;
  /** Why it can't be done now. */
  unavailable?: string | undefined;
  run: () => void;
}

export type MemberVerb = "start" | "stop" | "restart" | "refresh";

/** Why something can't be done with a member now; `undefined` when it can. */
export function whyNot(verb: MemberVerb, view: MemberView, pending: ReadonlySet<string>): string | undefined {
  if (pending.has(`${verb}_member:${view.name}`)) return "It is being done";
  if (view.status === "disabled") return "The member is disabled in its manifest";
  if (view.status === "unreviewed") return "Nobody has accepted what the member runs";
  switch (verb) {
    case "start":
      if (view.status === "ready") return "It runs already";
      return view.status === "starting" ? "It is starting" : undefined;
    case "stop":
      if (view.status === "stopping") return "It is stopping";
      return view.status === "ready" || view.status === "starting" || view.status === "backoff"
        ? undefined
        : "It does not run";
    case "restart":
    case "refresh":
      return view.status === "stopping" ? "It is stopping" : undefined;
  }
}

/** Everything that can be done, as things are now. */
export function actionsOf(house: House): Action[] {
  return [...finding(house), ...helpActions(house), ...ofTheTool(house), ...ofTheMember(house), ...offerActions(house), ...questionActions(house), ...agentActions(house), ...going(house), ...ofTheWindow(house)];
}

function finding(house: House): Action[] {
  const group = "Find";
  return [
    { id: "palette", group, title: "Find a tool, member or action", keys: "Ctrl+K", run: () => house.openPalette("") },
    { id: "tools", group, title: "Find a tool", keys: "Ctrl+P", run: () => house.openPalette("/") },
    { id: "history", group, title: "Find a call of the past", run: () => house.openPalette("#") },
    { id: "search", group, title: "Search all tools in the roster", keys: "/", run: () => house.searchTools() },
    {
      id: "keys",
      group,
      title: "Show all keys",
      keys: "Ctrl+Shift+/",
      alsoKeys: "?",
      run: () => house.layers.open("keys"),
    },
    { id: "bundle", group, title: "Save a bundle for a bug report…", run: () => house.layers.open("bundle") },
  ];
}

function ofTheTool(house: House): Action[] {
  const { hall, bench } = house;
  const group = "Tool";
  const form = house.form();
  const running = [...runningRuns(bench.sheets.get()), ...runningReadings(house.offers.sheets.get())].sort(
    (a, b) => b.startedAtMs - a.startedAtMs,
  );
  const formAction = (id: string, title: string, keys: string, run: (form: ToolFormHandle) => void): Action => ({
    id,
    group,
    title,
    keys,
    unavailable: form ? undefined : "No tool is open",
    run: () => form && run(form),
  });
  return [
    formAction("run", "Run the tool", "Ctrl+Enter", (lent) => lent.run()),
    formAction("send-anyway", "Send without checking", "Ctrl+Shift+Enter", (lent) => lent.sendAnyway()),
    formAction("json", "Change between form and JSON", "Ctrl+E", (lent) => lent.toggleJson()),
    formAction("save-call", "Save these arguments under a name", "Ctrl+S", () => house.nameCall()),
    formAction("copy-as", "Copy the call as…", "Ctrl+Shift+C", () => house.copyCall()),
    {
      id: "cancel",
      group,
      title: "Cancel the newest running call",
      keys: "Ctrl+.",
      unavailable: running.length === 0 ? "No call is running" : undefined,
      run: () => running[0] && void hall.cancel(running[0].call),
    },
  ];
}

/** The member that the page is about. */
function memberInPlace(house: House): MemberView | undefined {
  const member = memberOf(house.place.get());
  return member === null ? undefined : house.hall.state.get().byName.get(member);
}

function ofTheMember(house: House): Action[] {
  const { hall } = house;
  const group = "Member";
  const member = memberInPlace(house);
  const pending = hall.pending.get();
  const memberAction = (verb: MemberVerb, title: string, keys?: string): Action => ({
    id: `${verb}-member`,
    group,
    title: member ? `${title} ${member.name}` : `${title} the member`,
    ...(keys !== undefined && { keys }),
    unavailable: member ? whyNot(verb, member, pending) : "No member is open",
    run: () => member && void hall.tend(`${verb}_member`, member.name),
  });
  return [
    memberAction("restart", "Restart", "Ctrl+Shift+R"),
    memberAction("start", "Start"),
    memberAction("stop", "Stop"),
    memberAction("refresh", "Refresh the tool list of"),
    {
      id: "log",
      group,
      title: member ? `Show the log of ${member.name}` : "Show the member's log",
      unavailable: member ? undefined : "No member is open",
      run: () => member && house.openMember(member.name, true),
    },
    {
      id: "refresh-all",
      group,
      title: "Refresh all tool lists",
      unavailable: pending.has("refresh_tool_caches") ? "The lists are being read" : undefined,
      run: () => void hall.refreshAll(),
    },
  ];
}

const TABS = [
  { number: 1, word: "first" },
  { number: 2, word: "second" },
  { number: 3, word: "third" },
  { number: 4, word: "fourth" },
];

function going(house: House): Action[] {
  const group = "Go to";
  const tabs = tabsHere().length;
  return [
    { id: "doctor", group, title: "Check this machine", run: () => house.openDoctor() },
    { id: "found", group, title: "Found servers: what other programs have", run: () => house.openFound() },
    { id: "adding", group, title: "Add members: paste, a file and other ways", run: () => house.openAdding() },
    { id: "discovery", group, title: "Discovery of tools: settings, and asking a model", run: () => house.openDiscovery() },
    { id: "secrets", group, title: "Secrets of the members", run: () => house.openSecrets() },
    { id: "regions", group, title: "Go to the next region", keys: "F6", run: () => nextRegion() },
    ...TABS.map(({ number, word }): Action => ({
      id: `tab-${number}`,
      group,
      title: `Go to the ${word} tab`,
      keys: `Alt+${number}`,
      unavailable: number > tabs ? "There is no such tab here" : undefined,
      run: () => goToTab(number),
    })),
    { id: "welcome", group, title: "Show the welcome page", run: () => house.place.set({ kind: "welcome" }) },
  ];
}

function ofTheWindow(house: House): Action[] {
  const group = "Window";
  const percent = house.zoom.percent.get();
  return [
    { id: "roster", group, title: "Show or hide the roster", keys: "Ctrl+B", run: () => house.toggleRoster() },
    { id: "dock", group, title: "Show or hide the history", keys: "Ctrl+J", run: () => house.dock.toggle() },
    { id: "saved-calls", group, title: "Show all saved calls", run: () => house.dock.open("saved") },
    {
      id: "zoom-in",
      group,
      title: "Draw everything larger",
      keys: "Ctrl+Plus",
      unavailable: percent >= 300 ? "It is 300 % already" : undefined,
      run: () => house.zoom.larger(),
    },
    {
      id: "zoom-out",
      group,
      title: "Draw everything smaller",
      keys: "Ctrl+Minus",
      unavailable: percent <= 50 ? "It is 50 % already" : undefined,
      run: () => house.zoom.smaller(),
    },
    { id: "zoom-reset", group, title: "Draw everything in its own size", keys: "Ctrl+0", run: () => house.zoom.reset() },
    ...THEMES.map((theme): Action => ({
      id: `theme-${theme}`,
      group,
      title: theme === "system" ? "Theme: as the system" : `Theme: ${themeFace(theme).word}`,
      run: () => setTheme(theme),
    })),
  ];
}

/** Keys that a part of the window takes while it has the focus; the sheet shows them after the actions. */
export const LOCAL_KEYS: readonly { where: string; keys: readonly (readonly [string, string])[] }[] = [
  {
    where: "In the roster",
    keys: [
      ["↑ ↓", "Go to the row above or below"],
      ["→ ←", "Open or close a member, go to its first tool or back to it"],
      ["Home End", "Go to the first or the last row"],
      ["A … Z", "Go to the next name that begins so"],
      ["Enter", "Open what the cursor is on"],
    ],
  },
  {
    where: "In a form",
    keys: [
      ["Enter", "Check and run, from a field of one line"],
      ["Tab", "Go to the next field"],
    ],
  },
  {
    where: "In the history",
    keys: [
      ["↑ ↓ Home End", "Go to another call"],
      ["Enter", "Show the call beside the list"],
      ["Space", "Mark the call, to compare two"],
      ["Delete", "Remove the call, or the saved call"],
      ["F2", "Rename the saved call"],
    ],
  },
  {
    where: "In a question of a server",
    keys: [
      ["Ctrl+Enter", "Check and send the values"],
      ["Esc", "Cancel the question; it asks first where something was typed"],
    ],
  },
  {
    where: "In an agent's call",
    keys: [["Ctrl+Enter", "Check the arguments and allow the call once"]],
  },
  {
    where: "In the found servers",
    keys: [
      ["Space", "Tick the server, or take the tick away"],
      ["↑ ↓ Home End", "Go to the box of another server"],
    ],
  },
  {
    where: "In a table of tools",
    keys: [
      ["↑ ↓ Home End", "Go to another row"],
      ["Enter", "Open the tool, or say something else of it in a profile"],
      ["A S D", "Allow, ask a person first, deny"],
      ["M", "Do as the rules and the manifest say"],
      ["Space", "Choose the tool for a change of many; in a profile, take it in or leave it out"],
      ["Shift+↑ ↓", "Choose several"],
      ["Ctrl+A Esc", "Choose all that are shown, or none"],
      ["Ctrl+Z", "Take the last change of policies back"],
      ["R", "Read the tools of the row's member again"],
    ],
  },
  {
    where: "On a line between panes",
    keys: [
      ["← → ↑ ↓", "Move it"],
      ["Home End", "Make a pane as small, or as large, as it can be"],
      ["Enter", "Put it where it was at first"],
    ],
  },
  { where: "Everywhere", keys: [["Esc", "Close what lies on top"]] },
];
