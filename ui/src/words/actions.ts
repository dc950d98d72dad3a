import type { Group } from "../app/actions";
import { number } from "./format";

const groups: Record<Group, string> = { Find: "Find", Tool: "Tool", Member: "Member", "Go to": "Go to", Window: "Window" };

/** Keys that a part of the window takes while it has the focus: where that is, and what each does. */
const local = {
  roster: {
    where: "In the roster",
    row: "Go to the row above or below",
    branch: "Open or close a member, go to its first tool or back to it",
    ends: "Go to the first or the last row",
    named: "Go to the next name that begins so",
    open: "Open what the cursor is on",
  },
  form: {
    where: "In a form",
    run: "Check and run, from a field of one line",
    next: "Go to the next field",
    actions: "Go to the buttons beside a field, then arrows; Esc leads back",
  },
  history: {
    where: "In the history",
    other: "Go to another call",
    show: "Show the call beside the list",
    mark: "Mark the call, to compare two",
    remove: "Remove the call, or the saved call",
    rename: "Rename the saved call",
  },
  question: {
    where: "In a question of a server",
    send: "Check and send the values",
    cancel: "Cancel the question; it asks first where something was typed",
  },
  approval: {
    where: "In an agent's call",
    allow: "Check the arguments and allow the call once",
  },
  found: {
    where: "In the found servers",
    tick: "Tick the server, or take the tick away",
    other: "Go to the box of another server",
  },
  tools: {
    where: "In a table of tools",
    row: "Go to another row",
    open: "Open the tool, or say something else of it in a profile",
    policy: "Allow, ask a person first, deny",
    byRules: "Do as the rules and the manifest say",
    choose: "Choose the tool for a change of many; in a profile, take it in or leave it out",
    several: "Choose several",
    all: "Choose all that are shown, or none",
    undo: "Take the last change of policies back",
    reread: "Read the tools of the row's member again",
  },
  divider: {
    where: "On a line between panes",
    move: "Move it",
    ends: "Make a pane as small, or as large, as it can be",
    reset: "Put it where it was at first",
  },
  everywhere: {
    where: "Everywhere",
    close: "Close what lies on top",
  },
};

export const words = {
  groups,
  local,

  restart: (member: string | null) => `Restart ${member ?? "the member"}`,
  start: (member: string | null) => `Start ${member ?? "the member"}`,
  stop: (member: string | null) => `Stop ${member ?? "the member"}`,
  refresh: (member: string | null) => `Refresh the tool list of ${member ?? "the member"}`,
  log: (member: string | null) => (member === null ? "Show the member's log" : `Show the log of ${member}`),
  resources: (member: string | null) => (member === null ? "Show the member's resources" : `Show the resources of ${member}`),
  prompts: (member: string | null) => (member === null ? "Show the member's prompts" : `Show the prompts of ${member}`),

  tabs: ["Go to the first tab", "Go to the second tab", "Go to the third tab", "Go to the fourth tab"],

  already: (percent: number) => `It is ${number(percent)} % already`,
};
