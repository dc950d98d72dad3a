/** The list of all actions, used by the palette, the shortcuts, the Keyboard shortcuts dialog and the menus. */
import { agentActions } from "../features/agents/actions";
import { whyNot, type MemberVerb } from "../features/member/verbs";
import { runSystemCheck } from "../features/settings/doctor/examination";
import type { MemberView } from "../ipc/bindings";
import type { Action } from "../lib/actions";
import { runningReadings } from "../features/member/offers/offerStore";
import { offerActions } from "../features/member/offers/actions";
import { questionActions } from "../features/elicitation/lead";
import { runningRuns } from "../features/tool/workbench";
import { memberOf } from "../lib/navigation/places";
import type { ToolFormHandle } from "../lib/pageForm";
import { themeFace } from "../components/themeFace";
import { THEMES } from "../lib/theme/themes";
import { withOwnKeys } from "../features/settings/ownKeys";
import { number } from "../lib/format";
import { SECOND_KEYS, USUAL_KEYS, type KeyedAction } from "../lib/keys/actionKeys";
import { helpActions } from "../features/help/actions";
import { goToTab, nextRegion, tabsHere } from "../lib/regions";
import { setTheme } from "../lib/theme/theme";
import type { Stores } from "./stores";

const log = (member: string | null) => (member === null ? "Show the member's log" : `Show the log of ${member}`);

const TABS = ["Go to the first tab", "Go to the second tab", "Go to the third tab", "Go to the fourth tab"];

const VERBS: Record<MemberVerb, string> = { restart: "Restart", start: "Start", stop: "Stop", refresh: "Refresh the tool list of" };

const already = (percent: number) => `Zoom is already ${number(percent)}%`;

/** All actions for the window's current state, with the user's shortcuts. */
export function actionsOf(stores: Stores): Action[] {
  return withOwnKeys(usualActionsOf(stores), stores.settings.ownKeys());
}

/** All actions for the window's current state, with their default shortcuts. */
export function usualActionsOf(stores: Stores): Action[] {
  const actions = [finding, helpActions, ofTheTool, ofTheMember, offerActions, questionActions, agentActions, going, ofTheWindow];
  return actions.flatMap((some) => some(stores)).map(withUsualKeys);
}

function withUsualKeys(action: Action): Action {
  const [keys, alsoKeys] = [USUAL_KEYS[action.id], SECOND_KEYS[action.id]];
  return { ...action, ...(keys !== undefined && { keys }), ...(alsoKeys !== undefined && { alsoKeys }) };
}

/** Closes the layers over the page, then calls `show`. */
function over(stores: Stores, show: () => void): void {
  stores.layers.uncover();
  show();
}

function finding(stores: Stores): Action[] {
  const group = "Find";
  return [
    { id: "palette", group, title: "Find a tool, member or action", run: () => stores.palette.press("") },
    { id: "tools", group, title: "Find a tool", run: () => stores.palette.press("/") },
    { id: "history", group, title: "Search call history", run: () => stores.palette.open("#") },
    { id: "search", group, title: "Search all tools in the roster", run: () => over(stores, () => stores.roster.searchTools()) },
    { id: "keys", group, title: "Keyboard shortcuts", run: () => stores.layers.open("keys") },
    { id: "bundle", group, title: "Save diagnostics…", run: () => stores.layers.open("bundle") },
  ];
}

/** Opens the dialog that saves the arguments of the open tool as a saved call. */
function nameCall({ history, navigation, pageForm }: Stores): void {
  const place = navigation.place.get();
  pageForm.current()?.commit();
  if (place.kind === "tool") history.naming.set({ member: place.member, tool: place.tool });
}

/** Opens the "Copy as" menu of the open tool. */
function copyCall({ desk, pageForm }: Stores): void {
  pageForm.current()?.commit();
  desk.copying.set(true);
}

function ofTheTool(stores: Stores): Action[] {
  const { hall, bench } = stores;
  const group = "Tool";
  const form = stores.pageForm.current();
  const running = [...runningRuns(bench.sheets.get()), ...runningReadings(stores.offers.sheets.get())].sort(
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
    formAction("save-call", "Save this call…", () => nameCall(stores)),
    formAction("copy-as", "Copy the call as…", () => copyCall(stores)),
    {
      id: "cancel",
      group,
      title: "Cancel the latest call",
      unavailable: running.length === 0 ? "No call is running" : undefined,
      run: () => running[0] && void hall.cancel(running[0].call),
    },
  ];
}

/** The member of the current page. */
function memberInPlace(stores: Stores): MemberView | undefined {
  const member = memberOf(stores.navigation.place.get());
  return member === null ? undefined : stores.hall.state.get().byName.get(member);
}

function ofTheMember(stores: Stores): Action[] {
  const { hall } = stores;
  const group = "Member";
  const member = memberInPlace(stores);
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
      run: () => member && stores.navigation.openMember(member.name, true),
    },
    ...ofManaging(stores, member),
    {
      id: "refresh-all",
      group,
      title: "Refresh all tool lists",
      unavailable: pending.has("refresh_tool_caches") ? "Refreshing tools…" : undefined,
      run: () => void hall.refreshAll(),
    },
  ];
}

/** The actions that edit a member. The words in parentheses in titles are additional search words for the palette. */
function ofManaging(stores: Stores, member: MemberView | undefined): Action[] {
  const { managing } = stores;
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
    action("edit-member", `Edit the configuration of ${name} (plugin.json)`, (view) => stores.navigation.openConfiguration(view.name)),
    action("rename-member", `Rename ${name}…`, (view) => managing.open("rename", view.name)),
    action("duplicate-member", `Duplicate ${name}…`, (view) => managing.open("duplicate", view.name)),
    action("enable-member", `${toggle} ${name}`, (view) => void managing.toggle(view)),
    action("remove-member", `Remove ${name}… (delete, uninstall)`, (view) => managing.open("remove", view.name)),
  ];
}

function going(stores: Stores): Action[] {
  const group = "Go to";
  const tabs = tabsHere().length;
  return [
    { id: "dock", group, title: "History", run: () => over(stores, () => stores.navigation.openHistory()) },
    { id: "saved-calls", group, title: "Saved calls", run: () => over(stores, () => stores.navigation.openHistory("saved")) },
    { id: "doctor", group, title: "Run system check", run: () => runSystemCheck(stores) },
    { id: "found", group, title: "Import servers from other apps", run: () => stores.navigation.openFound() },
    { id: "adding", group, title: "Add member…", run: () => stores.navigation.openAdding() },
    { id: "discovery", group, title: "Tool detection settings", run: () => stores.navigation.openDiscovery() },
    { id: "secrets", group, title: "Secrets", run: () => stores.navigation.openSecrets() },
    { id: "settings", group, title: "Settings", run: () => stores.navigation.openSettings() },
    { id: "back", group, title: "Go back", run: () => stores.navigation.travel(true) },
    { id: "forward", group, title: "Go forward", run: () => stores.navigation.travel(false) },
    { id: "regions", group, title: "Go to the next region", run: () => nextRegion() },
    ...TABS.map((title, index): Action => ({
      id: `tab-${index + 1}`,
      group,
      title,
      unavailable: index < tabs ? undefined : "This page has fewer tabs",
      run: () => goToTab(index + 1),
    })),
    { id: "welcome", group, title: "Home", run: () => stores.navigation.openHome() },
  ];
}

function ofTheWindow(stores: Stores): Action[] {
  const group = "Window";
  const percent = stores.zoom.percent.get();
  return [
    { id: "roster", group, title: "Show or hide the roster", run: () => stores.roster.toggle() },
    {
      id: "zoom-in",
      group,
      title: "Zoom in",
      unavailable: percent >= 300 ? already(300) : undefined,
      run: () => stores.zoom.larger(),
    },
    {
      id: "zoom-out",
      group,
      title: "Zoom out",
      unavailable: percent <= 50 ? already(50) : undefined,
      run: () => stores.zoom.smaller(),
    },
    { id: "zoom-reset", group, title: "Reset zoom", run: () => stores.zoom.reset() },
    ...THEMES.map((theme): Action => ({
      id: `theme-${theme}`,
      group,
      title: `Theme: ${themeFace(theme).word}`,
      run: () => setTheme(theme),
    })),
  ];
}
