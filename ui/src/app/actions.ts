/** The one list of what can be done, for the palette, the keys, the sheet of keys and the hints. */
import { agentActions } from "../features/agents/actions";
import type { MemberView } from "../ipc/bindings";
import type { ToolFormHandle } from "../features/form/ToolForm";
import { runningReadings } from "../features/member/offers/desk";
import { offerActions } from "../features/member/offers/actions";
import { questionActions } from "../features/elicitation/lead";
import { runningRuns } from "../features/tool/workbench";
import { THEMES, themeFace } from "../lib/theme/themes";
import { withOwnKeys } from "../features/settings/ownKeys";
import { number } from "../lib/format";
import { SECOND_KEYS, USUAL_KEYS, type KeyedAction } from "../lib/keys/actionKeys";
import { helpActions } from "../features/help/actions";
import { goToTab, nextRegion, tabsHere } from "../lib/regions";
import { memberOf, type House } from "./house";
import { setTheme } from "../lib/theme/theme";

const log = (member: string | null) => (member === null ? "Show the member's log" : `Show the log of ${member}`);

const TABS = ["Go to the first tab", "Go to the second tab", "Go to the third tab", "Go to the fourth tab"];

const VERBS: Record<MemberVerb, string> = { restart: "Restart", start: "Start", stop: "Stop", refresh: "Refresh the tool list of" };

const already = (percent: number) => `Zoom is already ${number(percent)}%`;

/** In the order in which the sheet of keys shows them. */
export const GROUPS = ["Find", "Tool", "Member", "Go to", "Window"] as const;
type Group = (typeof GROUPS)[number];

export interface Action {
  id: string;
  title: string;
  group: Group;
  /** The shortcut as the keyboard table shows it. */
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
  if (pending.has(`${verb}_member:${view.name}`)) return "In progress";
  if (view.status === "disabled") return "Disabled in plugin.json";
  if (view.status === "unreviewed") return "Needs your review first";
  switch (verb) {
    case "start":
      if (view.status === "ready") return "Already running";
      return view.status === "starting" ? "Starting…" : undefined;
    case "stop":
      if (view.status === "stopping") return "Stopping…";
      return view.status === "ready" || view.status === "starting" || view.status === "backoff"
        ? undefined
        : "Not running";
    case "restart":
    case "refresh":
      return view.status === "stopping" ? "Stopping…" : undefined;
  }
}

/** Everything that can be done, as things are now. */
export function actionsOf(house: House): Action[] {
  return withOwnKeys(usualActionsOf(house), house.settings.ownKeys());
}

/** The same actions with their default shortcuts. */
export function usualActionsOf(house: House): Action[] {
  const actions = [finding, helpActions, ofTheTool, ofTheMember, offerActions, questionActions, agentActions, going, ofTheWindow];
  return actions.flatMap((some) => some(house)).map(withUsualKeys);
}

function withUsualKeys(action: Action): Action {
  const [keys, alsoKeys] = [USUAL_KEYS[action.id], SECOND_KEYS[action.id]];
  return { ...action, ...(keys !== undefined && { keys }), ...(alsoKeys !== undefined && { alsoKeys }) };
}

/** Closes the layers over the page, then calls `show`. */
function over(house: House, show: () => void): void {
  house.uncover();
  show();
}

function finding(house: House): Action[] {
  const group = "Find";
  return [
    { id: "palette", group, title: "Find a tool, member or action", run: () => house.pressPalette("") },
    { id: "tools", group, title: "Find a tool", run: () => house.pressPalette("/") },
    { id: "history", group, title: "Search call history", run: () => house.openPalette("#") },
    { id: "search", group, title: "Search all tools in the roster", run: () => over(house, () => house.searchTools()) },
    { id: "keys", group, title: "Keyboard shortcuts", run: () => house.layers.open("keys") },
    { id: "bundle", group, title: "Save diagnostics…", run: () => house.layers.open("bundle") },
  ];
}

function ofTheTool(house: House): Action[] {
  const { hall, bench } = house;
  const group = "Tool";
  const form = house.form();
  const running = [...runningRuns(bench.sheets.get()), ...runningReadings(house.offers.sheets.get())].sort(
    (a, b) => b.startedAtMs - a.startedAtMs,
  );
  const formAction = (id: KeyedAction, title: string, run: (form: ToolFormHandle) => void): Action => ({
    id,
    group,
    title,
    unavailable: form ? undefined : "No tool is open",
    run: () => form && run(form),
  });
  return [
    formAction("run", "Run the tool", (lent) => lent.run()),
    formAction("send-anyway", "Send without checking", (lent) => lent.sendAnyway()),
    formAction("json", "Switch between form and JSON", (lent) => lent.toggleJson()),
    formAction("save-call", "Save this call…", () => house.nameCall()),
    formAction("copy-as", "Copy the call as…", () => house.copyCall()),
    {
      id: "cancel",
      group,
      title: "Cancel the latest call",
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
  const memberAction = (verb: MemberVerb): Action => ({
    id: `${verb}-member`,
    group,
    title: `${VERBS[verb]} ${member?.name ?? "the member"}`,
    unavailable: member ? whyNot(verb, member, pending) : "No member is open",
    run: () => member && void hall.tend(`${verb}_member`, member.name),
  });
  return [
    memberAction("restart"),
    memberAction("start"),
    memberAction("stop"),
    memberAction("refresh"),
    {
      id: "log",
      group,
      title: log(member?.name ?? null),
      unavailable: member ? undefined : "No member is open",
      run: () => member && house.openMember(member.name, true),
    },
    ...ofManaging(house, member),
    {
      id: "refresh-all",
      group,
      title: "Refresh all tool lists",
      unavailable: pending.has("refresh_tool_caches") ? "Refreshing tools…" : undefined,
      run: () => void hall.refreshAll(),
    },
  ];
}

/** Further words by which people look for them are in brackets. */
function ofManaging(house: House, member: MemberView | undefined): Action[] {
  const { managing } = house;
  const name = member?.name ?? "the member";
  const action = (id: string, title: string, run: (member: MemberView) => void): Action => ({
    id,
    group: "Member",
    title,
    unavailable: member ? undefined : "No member is open",
    run: () => member && run(member),
  });
  const toggle = member?.status === "disabled" ? "Enable" : "Disable";
  return [
    action("edit-member", `Edit the configuration of ${name} (plugin.json)`, (view) => house.openConfiguration(view.name)),
    action("rename-member", `Rename ${name}…`, (view) => managing.open("rename", view.name)),
    action("duplicate-member", `Duplicate ${name}…`, (view) => managing.open("duplicate", view.name)),
    action("enable-member", `${toggle} ${name}`, (view) => void managing.toggle(view)),
    action("remove-member", `Remove ${name}… (delete, uninstall)`, (view) => managing.open("remove", view.name)),
  ];
}

function going(house: House): Action[] {
  const group = "Go to";
  const tabs = tabsHere().length;
  return [
    { id: "dock", group, title: "History", run: () => over(house, () => house.openHistory()) },
    { id: "saved-calls", group, title: "Saved calls", run: () => over(house, () => house.openHistory("saved")) },
    { id: "doctor", group, title: "Run system check", run: () => house.openDoctor() },
    { id: "found", group, title: "Import servers from other apps", run: () => house.openFound() },
    { id: "adding", group, title: "Add member…", run: () => house.openAdding() },
    { id: "discovery", group, title: "Tool detection settings", run: () => house.openDiscovery() },
    { id: "secrets", group, title: "Secrets", run: () => house.openSecrets() },
    { id: "settings", group, title: "Settings", run: () => house.openSettings() },
    { id: "back", group, title: "Go back", run: () => house.travel(true) },
    { id: "forward", group, title: "Go forward", run: () => house.travel(false) },
    { id: "regions", group, title: "Go to the next region", run: () => nextRegion() },
    ...TABS.map((title, index): Action => ({
      id: `tab-${index + 1}`,
      group,
      title,
      unavailable: index < tabs ? undefined : "This page has fewer tabs",
      run: () => goToTab(index + 1),
    })),
    { id: "welcome", group, title: "Home", run: () => house.openHome() },
  ];
}

function ofTheWindow(house: House): Action[] {
  const group = "Window";
  const percent = house.zoom.percent.get();
  return [
    { id: "roster", group, title: "Show or hide the roster", run: () => house.toggleRoster() },
    {
      id: "zoom-in",
      group,
      title: "Zoom in",
      unavailable: percent >= 300 ? already(300) : undefined,
      run: () => house.zoom.larger(),
    },
    {
      id: "zoom-out",
      group,
      title: "Zoom out",
      unavailable: percent <= 50 ? already(50) : undefined,
      run: () => house.zoom.smaller(),
    },
    { id: "zoom-reset", group, title: "Reset zoom", run: () => house.zoom.reset() },
    ...THEMES.map((theme): Action => ({
      id: `theme-${theme}`,
      group,
      title: `Theme: ${themeFace(theme).word}`,
      run: () => setTheme(theme),
    })),
  ];
}
