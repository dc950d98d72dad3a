/** States of the history and of saved calls for the catalog of UI states. */
import type { MockBridge, MockOptions } from "../../ipc/mock";
import { press } from "../../testing/acting";
import type { State, Stores } from "../../testing/state";
import { NO_FILTER } from "./filter";
import { forge, record } from "./testing";
import { cancelledEnd, textEnd } from "../../testing/callEnds";

const MINUTE_MS = 60_000;

function options(): MockOptions {
  return { members: [forge()] };
}

function fill(bridge: MockBridge): void {
  const pieces = ["horseshoe", "hinge", "nail", "blade of the smith's own sword", "פרסה", "حدوة حصان"];
  for (const [index, path] of pieces.entries()) {
    const end = index === 1 ? textEnd("The fire went out.", true) : index === 2 ? cancelledEnd() : textEnd(`The ${path} glows at ${600 + index * 50} °C.`);
    record(bridge, { args: JSON.stringify({ path }), tool: index === 3 ? "melt" : "heat", atMs: Date.now() - (pieces.length - index) * 7 * MINUTE_MS, end });
  }
}

function show(stores: Stores, bridge: MockBridge): void {
  fill(bridge);
  stores.navigation.openHistory();
}

/** Records calls, opens the history, and then calls `then` with the calls' IDs, newest first. */
function showThen(then: (stores: Stores, ids: readonly number[]) => void): NonNullable<State["arrive"]> {
  return (stores, bridge) => {
    show(stores, bridge);
    void bridge
      .call("search_history", { filter: NO_FILTER, before: null, limit: 10 })
      .then(({ entries }) => then(stores, entries.map(({ id }) => id)));
  };
}

/** Selects two calls and presses a button of the selection's bar. */
function pressSelected(button: string): NonNullable<State["arrive"]> {
  return (stores, bridge) => {
    fill(bridge);
    const calls = [
      record(bridge, { args: '{"path":"anvil","token":"•••"}', masked: ["/token"] }),
      record(bridge, { tool: "melt", end: textEnd("The fire went out.", true) }),
    ];
    for (const call of calls) stores.history.toggleSelected(call);
    stores.navigation.openHistory();
    press("button", button);
  };
}

const openFirst = showThen((stores, [id]) => {
  if (id !== undefined) stores.history.open(id);
});

export const HISTORY_STATES: readonly State[] = [
  { name: "history", options, arrive: show, shows: /melt/, contrast: true },
  { name: "history-call", options, arrive: openFirst, shows: /Open in form/ },
  { name: "history-narrow", options, arrive: openFirst, shows: /Open in form/, width: 480 },
  {
    name: "history-selected",
    options,
    arrive: (stores, bridge) => {
      fill(bridge);
      for (const path of ["anvil", "tongs"]) stores.history.toggleSelected(record(bridge, { args: JSON.stringify({ path }) }));
      stores.navigation.openHistory();
    },
    shows: /2 calls selected/,
    contrast: true,
  },
  {
    name: "history-session",
    options,
    arrive: (stores, bridge) => {
      fill(bridge);
      for (const path of ["anvil", "tongs"]) record(bridge, { args: JSON.stringify({ path }), agent: "claude-code" });
      stores.navigation.openHistory();
      void bridge.call("agent_sessions", { limit: 1 }).then(({ sessions: [session = null] }) => stores.history.narrow({ session }));
    },
    shows: /claude-code · .*2 calls/,
  },
  {
    name: "history-checks",
    options: () => ({ ...options(), picks: "/home/me/forge.suite.json" }),
    arrive: (stores, bridge) => {
      pressSelected("Create checks…")(stores, bridge);
      press("label", "A suite file");
      press("form button[type=submit]", "Create");
    },
    shows: /guildhall dev --once --suite/,
    contrast: true,
  },
  { name: "history-checks-form", options: () => ({ ...options(), picks: "/home/me/forge.suite.json" }), arrive: pressSelected("Create checks…"), shows: /repeats each call twice/ },
  { name: "history-mock", options, arrive: pressSelected("Create mock member…"), shows: /contacts no server/ },
  {
    name: "history-deleted",
    options,
    arrive: (stores, bridge) => {
      const entry = record(bridge, { args: '{"path":"anvil"}' });
      show(stores, bridge);
      stores.history.remove([entry]);
    },
    shows: /Deleted 1 call/,
  },
  {
    name: "history-gone",
    options,
    arrive: showThen((stores) => stores.history.open(999)),
    shows: /not in the history any more/,
  },
  {
    name: "history-compared",
    options,
    arrive: (stores, bridge) => {
      const left = record(bridge, { end: textEnd("The hinge is dull.") });
      const right = record(bridge, { end: textEnd("The hinge glows.") });
      stores.navigation.openHistory();
      stores.history.compare({ kind: "entry", entry: left }, { kind: "entry", entry: right });
    },
    shows: /The hinge is dull/,
  },
  {
    name: "history-none",
    options,
    arrive: (stores, bridge) => {
      stores.history.narrow({ text: "anvil" });
      show(stores, bridge);
    },
    shows: /No matching calls/,
  },
  { name: "history-empty", options, arrive: (stores) => stores.navigation.openHistory(), shows: /No calls yet/ },
  {
    name: "history-off",
    options,
    arrive: (stores, bridge) => {
      fill(bridge);
      void bridge
        .call("change_history_settings", { recording: false, keepCalls: 100_000, keepBytes: 1 << 29 })
        .then(() => stores.navigation.openHistory());
    },
    shows: /doesn't record calls/,
  },
  {
    name: "history-trouble",
    options,
    arrive: (stores, bridge) => {
      bridge.history.trouble = {
        code: "history-newer",
        message: "The history was written by a newer version of Guild Hall.",
        hint: "Use that version, or move history.db away; a new one is begun then.",
        member: null,
      };
      stores.navigation.openHistory();
    },
    shows: /newer version of Guild Hall/,
  },
  {
    name: "saved-calls",
    options,
    arrive: (stores) => {
      // Open another page first, because the Home page lists saved calls too.
      stores.navigation.openMember("forge");
      const names = ["for the grey mare", "hinge of the cellar door", "לסוסה האפורה"];
      void Promise.all(names.map((name) => stores.history.saved.save("forge", "heat", name, '{"path":"horseshoe"}', "keep"))).then(() =>
        stores.navigation.openHistory("saved"),
      );
    },
    shows: /hinge of the cellar door/,
  },
  { name: "saved-calls-empty", options, arrive: (stores) => stores.navigation.openHistory("saved"), shows: /No saved calls/ },
];
