/** The one list of what can be done, for the palette, the keys and the hints. */
import type { MemberView } from "../bridge/bindings";
import type { ToolFormHandle } from "../form/ToolForm";
import { runningRuns } from "../hall/workbench";
import { nextRegion } from "./regions";
import type { House } from "./house";
import { setTheme } from "./theme";

export interface Action {
  id: string;
  title: string;
  /** Such as `Ctrl+Shift+R`; on macOS Cmd stands for Ctrl. */
  keys?: string;
  /** Why it can't be done now. */
  unavailable?: string | undefined;
  run: () => void;
}

export type MemberVerb = "start" | "stop" | "restart" | "refresh";

/** Why something can't be done with a member now; `undefined` when it can. */
export function whyNot(verb: MemberVerb, view: MemberView, pending: ReadonlySet<string>): string | undefined {
  if (pending.has(`${verb}_member:${view.name}`)) return "It is being done";
  if (view.status === "disabled") return "The member is disabled in its manifest";
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

/** The member that the page is about. */
function memberInPlace(house: House): MemberView | undefined {
  const place = house.place.get();
  return place.kind === "welcome" ? undefined : house.hall.state.get().byName.get(place.member);
}

/** Everything that can be done, as things are now. */
export function actionsOf(house: House): Action[] {
  const { hall, bench } = house;
  const member = memberInPlace(house);
  const pending = hall.pending.get();
  const running = runningRuns(bench.sheets.get());
  const memberAction = (verb: MemberVerb, title: string, keys?: string): Action => ({
    id: `${verb}-member`,
    title: member ? `${title} ${member.name}` : `${title} the member`,
    ...(keys && { keys }),
    unavailable: member ? whyNot(verb, member, pending) : "No member is open",
    run: () => member && void hall.tend(`${verb}_member`, member.name),
  });
  const form = house.form();
  const formAction = (id: string, title: string, keys: string, run: (form: ToolFormHandle) => void): Action => ({
    id,
    title,
    keys,
    unavailable: form ? undefined : "No tool is open",
    run: () => form && run(form),
  });
  return [
    { id: "palette", title: "Find a tool, member or action", keys: "Ctrl+K", run: () => house.openPalette("") },
    { id: "search", title: "Search all tools", keys: "Ctrl+P", run: () => house.searchTools() },
    formAction("run", "Run the tool", "Ctrl+Enter", (form) => form.run()),
    formAction("send-anyway", "Send without checking", "Ctrl+Shift+Enter", (form) => form.sendAnyway()),
    formAction("json", "Change between form and JSON", "Ctrl+E", (form) => form.toggleJson()),
    {
      id: "cancel",
      title: "Cancel the newest running call",
      keys: "Ctrl+.",
      unavailable: running.length === 0 ? "No call is running" : undefined,
      run: () => running[0] && void hall.cancel(running[0].call),
    },
    memberAction("restart", "Restart", "Ctrl+Shift+R"),
    memberAction("start", "Start"),
    memberAction("stop", "Stop"),
    memberAction("refresh", "Refresh the tool list of"),
    {
      id: "log",
      title: member ? `Show the log of ${member.name}` : "Show the member's log",
      unavailable: member ? undefined : "No member is open",
      run: () => member && house.openMember(member.name, true),
    },
    {
      id: "refresh-all",
      title: "Refresh all tool lists",
      unavailable: pending.has("refresh_tool_caches") ? "The lists are being read" : undefined,
      run: () => void hall.refreshAll(),
    },
    { id: "roster", title: "Show or hide the roster", keys: "Ctrl+B", run: () => house.toggleRoster() },
    { id: "regions", title: "Go to the next region", keys: "F6", run: () => nextRegion() },
    { id: "welcome", title: "Show the welcome page", run: () => house.place.set({ kind: "welcome" }) },
    { id: "keys", title: "Show all keys", keys: "Ctrl+Shift+/", run: () => house.openPalette(">") },
    { id: "theme-system", title: "Theme: as the system", run: () => setTheme("system") },
    { id: "theme-light", title: "Theme: light", run: () => setTheme("light") },
    { id: "theme-dark", title: "Theme: dark", run: () => setTheme("dark") },
  ];
}
