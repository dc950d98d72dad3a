/** States of the help, the first steps, the tour and the About dialog for the catalog of UI states. */
import { mockPlace, mockServer } from "../../ipc/mock/found";
import { mockMember, mockTool, mockView, type MockMember } from "../../ipc/mock/members";
import { typeInto, whenThere } from "../../testing/acting";
import type { State, Stores } from "../../testing/state";

const NOW = {
  type: "object",
  properties: { time_zone: { type: ["string", "null"], description: "Time zone, such as Europe/Berlin" } },
  examples: [{ time_zone: "Asia/Tokyo" }],
};

function samples(status: "stopped" | "starting" | "ready"): MockMember[] {
  const command = (args: string) => `\${GUILDHALL} sample-member ${args}`;
  return [
    mockMember(mockView("clock", { status, lifecycle: "on-demand", description: "The current time, time zones, and the difference between two times" }), [mockTool("clock", { name: "now", title: "Current time", description: "Returns the current date and time in a time zone.", input: NOW, hints: { readOnly: true } })], { command: command("clock --stdio") }),
    mockMember(mockView("notes", { status, description: "Lists, reads, writes and searches the Markdown notes in a folder" }), [mockTool("notes", { name: "list_notes", title: "List notes", description: "Lists all notes.", hints: { readOnly: true } })], { command: command("notes /home/me/notes --port 20000") }),
    mockMember(mockView("playground", { status, description: "Forms, results, failures and a long task, for trying Guild Hall" }), [mockTool("playground", { name: "echo", title: "Echo", description: "Returns the message.", hints: { readOnly: true } })], { command: command("playground --stdio") }),
  ];
}

const tour = (stop: number) => (stores: Stores): void => {
  stores.tour.begin();
  for (let at = 1; at < stop; at += 1) stores.tour.next();
};

export const HELP_STATES: readonly State[] = [
  { name: "first-steps", options: () => ({ members: samples("starting") }), shows: /3 members start with Guild Hall/, contrast: true },
  {
    name: "first-steps-found",
    options: () => ({ members: samples("ready") }),
    arrive: (_, bridge) => bridge.found.change([
      mockServer("files", { places: [mockPlace({ program: "cursor", title: "Cursor" })] }),
      mockServer("memory"),
      mockServer("search"),
      mockServer("weather"),
    ]),
    shows: /Found 4 servers in Cursor and Claude Desktop/,
  },
  {
    name: "first-steps-try",
    options: () => ({ members: samples("ready") }),
    arrive: () => whenThere('[data-testid="try-it"]', (button) => button.click()),
    shows: /Returns the current date/,
  },
  { name: "first-steps-left", options: () => ({ members: samples("ready") }), arrive: (stores) => stores.firstRun.leave(true), shows: /Show the first steps/ },
  { name: "first-steps-narrow", options: () => ({ members: samples("ready") }), shows: /Welcome to Guild Hall/, width: 360 },
  { name: "tour-roster", options: () => ({ members: samples("ready") }), arrive: tour(1), shows: /Tour, 1 of 6/, contrast: true },
  { name: "tour-form", options: () => ({ members: samples("ready") }), arrive: tour(2), shows: /Returns the current date[^]*Tour, 2 of 6|Tour, 2 of 6[^]*Returns the current/ },
  { name: "tour-agents", options: () => ({ members: samples("ready") }), arrive: tour(5), shows: /Tour, 5 of 6/ },
  { name: "tour-narrow", options: () => ({ members: samples("ready") }), arrive: tour(4), shows: /Tour, 4 of 6/, width: 353 },
  { name: "help", options: () => ({}), arrive: (stores) => stores.navigation.openHelp("user-guide#the-first-minute"), shows: /In a new guild, Home has three steps/, contrast: true },
  { name: "help-code", options: () => ({}), arrive: (stores) => stores.navigation.openHelp("errors#call-timeout"), shows: /Cause\./ },
  {
    name: "help-search",
    options: () => ({}),
    arrive: (stores) => {
      stores.navigation.openHelp("user-guide#members");
      whenThere('[data-testid="help"] input', (field) => typeInto(field, "keychain"));
    },
    shows: /found/,
  },
  {
    name: "help-search-nothing",
    options: () => ({}),
    arrive: (stores) => {
      stores.navigation.openHelp("user-guide#members");
      whenThere('[data-testid="help"] input', (field) => typeInto(field, "zeppelin"));
    },
    shows: /No results/,
  },
  { name: "help-gone", options: () => ({}), arrive: (stores) => stores.navigation.openHelp("user-guide#gone"), shows: /Section not found/ },
  { name: "help-narrow", options: () => ({}), arrive: (stores) => stores.navigation.openHelp("user-guide#forms"), shows: /An untouched field is not sent/, width: 480 },
  { name: "adding-write", options: () => ({}), arrive: (stores) => stores.navigation.openAdding("write"), shows: /Files/ },
  { name: "about", options: () => ({}), arrive: (stores) => stores.layers.open("about"), shows: /Data folder/, contrast: true },
];
