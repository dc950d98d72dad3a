/** The states of the history and of saved calls, for the catalogue. */
import type { House } from "../../app/house";
import type { FakeBridge, FakeOptions } from "../../ipc/fake";
import type { State } from "../../testing/states";
import { answered, cancelled, forge, record } from "./testing";

const MINUTE_MS = 60_000;

function options(): FakeOptions {
  return { members: [forge()] };
}

function fill(bridge: FakeBridge): void {
  const pieces = ["horseshoe", "hinge", "nail", "blade of the smith's own sword", "פרסה", "حدوة حصان"];
  for (const [index, path] of pieces.entries()) {
    const end = index === 1 ? answered("The fire went out.", true) : index === 2 ? cancelled() : answered(`The ${path} glows at ${600 + index * 50} °C.`);
    record(bridge, { args: JSON.stringify({ path }), tool: index === 3 ? "melt" : "heat", atMs: Date.now() - (pieces.length - index) * 7 * MINUTE_MS, end });
  }
}

function show(house: House, bridge: FakeBridge): void {
  fill(bridge);
  house.openHistory();
}

/** Writes the calls down, then does something with the ids, newest first. */
function showThen(then: (house: House, ids: readonly number[]) => void): NonNullable<State["arrive"]> {
  return (house, bridge) => {
    show(house, bridge);
    void bridge
      .call("search_history", { filter: { text: null, member: null, tool: null, outcome: null, caller: null, sinceMs: null, untilMs: null, entry: null }, before: null, limit: 10 })
      .then(({ entries }) => then(house, entries.map(({ id }) => id)));
  };
}

const openFirst = showThen((house, [id]) => {
  if (id !== undefined) house.history.open(id);
});

export const HISTORY_STATES: readonly State[] = [
  { name: "history", options, arrive: show, shows: /melt/, contrast: true },
  { name: "history-call", options, arrive: openFirst, shows: /Open in form/ },
  { name: "history-narrow", options, arrive: openFirst, shows: /Open in form/, width: 480 },
  {
    name: "history-selected",
    options,
    arrive: (house, bridge) => {
      fill(bridge);
      for (const path of ["anvil", "tongs"]) house.history.toggleSelected(record(bridge, { args: JSON.stringify({ path }) }));
      house.openHistory();
    },
    shows: /2 calls selected/,
    contrast: true,
  },
  {
    name: "history-deleted",
    options,
    arrive: (house, bridge) => {
      const entry = record(bridge, { args: '{"path":"anvil"}' });
      show(house, bridge);
      house.history.remove([entry]);
    },
    shows: /Deleted 1 call/,
  },
  {
    name: "history-gone",
    options,
    arrive: showThen((house) => house.history.open(999)),
    shows: /not in the history any more/,
  },
  {
    name: "history-compared",
    options,
    arrive: (house, bridge) => {
      const left = record(bridge, { end: answered("The hinge is dull.") });
      const right = record(bridge, { end: answered("The hinge glows.") });
      house.openHistory();
      house.history.compare({ kind: "entry", entry: left }, { kind: "entry", entry: right });
    },
    shows: /The hinge is dull/,
  },
  {
    name: "history-none",
    options,
    arrive: (house, bridge) => {
      house.history.narrow({ text: "anvil" });
      show(house, bridge);
    },
    shows: /No matching calls/,
  },
  { name: "history-empty", options, arrive: (house) => house.openHistory(), shows: /No calls yet/ },
  {
    name: "history-off",
    options,
    arrive: (house, bridge) => {
      fill(bridge);
      void bridge
        .call("change_history_settings", { recording: false, keepCalls: 100_000, keepBytes: 1 << 29 })
        .then(() => house.openHistory());
    },
    shows: /doesn't record calls/,
  },
  {
    name: "history-trouble",
    options,
    arrive: (house, bridge) => {
      bridge.history.trouble = {
        code: "history-newer",
        message: "The history was written by a newer version of Guild Hall.",
        hint: "Use that version, or move history.db away; a new one is begun then.",
        member: null,
      };
      house.openHistory();
    },
    shows: /newer version of Guild Hall/,
  },
  {
    name: "saved-calls",
    options,
    arrive: (house) => {
      // Home lists saved calls too.
      house.openMember("forge");
      const names = ["for the grey mare", "hinge of the cellar door", "לסוסה האפורה"];
      void Promise.all(names.map((name) => house.history.saved.save("forge", "heat", name, '{"path":"horseshoe"}', "keep"))).then(() =>
        house.openHistory("saved"),
      );
    },
    shows: /hinge of the cellar door/,
  },
  { name: "saved-calls-empty", options, arrive: (house) => house.openHistory("saved"), shows: /No saved calls/ },
];
