/** The states of the help, the first steps, the tour and what the program says of itself, for the catalogue. */
import type { House } from "../app/house";
import { fakePlace, fakeServer } from "../bridge/fake/found";
import { fakeMember, fakeTool, fakeView, type FakeMember } from "../bridge/fake/members";
import { typeInto, whenThere } from "../testing/acting";
import type { State } from "../testing/states";

const CUT = {
  type: "object",
  required: ["length_mm", "piece_mm"],
  properties: {
    length_mm: { type: "number", description: "The board's length in mm" },
    piece_mm: { type: "number", description: "The length of a piece" },
    pieces: { type: "integer", default: 1 },
  },
  examples: [{ length_mm: 2400, piece_mm: 399.5, pieces: 4 }],
};

function samples(status: "stopped" | "starting" | "ready"): FakeMember[] {
  const command = (name: string) => `\${GUILDHALL} sample-member ${name}`;
  return [
    fakeMember(fakeView("gallery", { status, description: "Results of every kind" }), [fakeTool("gallery", { name: "painting", description: "A picture.", hints: { readOnly: true } })], { command: `${command("gallery")} --stdio` }),
    fakeMember(fakeView("lookout", { status: "stopped", lifecycle: "on-demand", description: "Slow calls" }), [fakeTool("lookout", { name: "keep_watch", description: "Watches." })]),
    fakeMember(fakeView("workshop", { status, description: "One small tool for every kind of field" }), [fakeTool("workshop", { name: "cut_board", title: "Cut a board", description: "Works out how a board is cut.", input: CUT })], { command: `${command("workshop")} --port 20000` }),
  ];
}

const tour = (stop: number) => (house: House): void => {
  house.tour.begin();
  for (let at = 1; at < stop; at += 1) house.tour.next();
};

export const HELP_STATES: readonly State[] = [
  { name: "first-steps", options: () => ({ members: samples("starting") }), shows: /What starts now/, contrast: true },
  {
    name: "first-steps-found",
    options: () => ({ members: samples("ready") }),
    arrive: (_, bridge) => bridge.found.change([
      fakeServer("files", { places: [fakePlace({ program: "cursor", title: "Cursor" })] }),
      fakeServer("memory"),
      fakeServer("search"),
      fakeServer("weather"),
    ]),
    shows: /and 1 more/,
  },
  {
    name: "first-steps-try",
    options: () => ({ members: samples("ready") }),
    arrive: () => whenThere('[data-testid="try-it"]', (button) => button.click()),
    shows: /Filled with the tool's own example/,
  },
  { name: "first-steps-left", options: () => ({ members: samples("ready") }), arrive: (house) => house.firstRun.leave(true), shows: /Show the first steps/ },
  { name: "first-steps-narrow", options: () => ({ members: samples("ready") }), shows: /First steps/, width: 360 },
  { name: "tour-roster", options: () => ({ members: samples("ready") }), arrive: tour(1), shows: /Tour, 1 of 6/, contrast: true },
  { name: "tour-form", options: () => ({ members: samples("ready") }), arrive: tour(2), shows: /Works out how a board is cut[^]*Tour, 2 of 6|Tour, 2 of 6[^]*Works out/ },
  { name: "tour-agents", options: () => ({ members: samples("ready") }), arrive: tour(5), shows: /Tour, 5 of 6/ },
  { name: "tour-narrow", options: () => ({ members: samples("ready") }), arrive: tour(4), shows: /Tour, 4 of 6/, width: 353 },
  { name: "help", options: () => ({}), arrive: (house) => house.openHelp("user-guide#the-first-minute"), shows: /The page that the window opens with/, contrast: true },
  { name: "help-code", options: () => ({}), arrive: (house) => house.openHelp("errors#call-timeout"), shows: /Cause\./ },
  {
    name: "help-search",
    options: () => ({}),
    arrive: (house) => {
      house.openHelp("user-guide#members");
      whenThere('[data-testid="help"] input', (field) => typeInto(field, "keychain"));
    },
    shows: /found/,
  },
  {
    name: "help-search-nothing",
    options: () => ({}),
    arrive: (house) => {
      house.openHelp("user-guide#members");
      whenThere('[data-testid="help"] input', (field) => typeInto(field, "zeppelin"));
    },
    shows: /No section has these words/,
  },
  { name: "help-gone", options: () => ({}), arrive: (house) => house.openHelp("user-guide#gone"), shows: /no such section/ },
  { name: "help-narrow", options: () => ({}), arrive: (house) => house.openHelp("user-guide#forms"), shows: /A field that was never touched/, width: 480 },
  { name: "adding-write", options: () => ({}), arrive: (house) => house.openAdding("write"), shows: /What is made/ },
  { name: "about", options: () => ({}), arrive: (house) => house.layers.open("about"), shows: /Data folder/, contrast: true },
];
