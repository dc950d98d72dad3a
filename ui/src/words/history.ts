import { counted, number } from "./format";

const calls = (count: number) => counted(count, { one: "call", other: "calls" });
const atLeast = (count: number, more: boolean) => `${more ? "more than " : ""}${calls(count)}`;

/** Which calls are to be removed: one, those that fit the filter, or all. */
export type Removal = "one" | "fitting" | "all";

const removeQuestion: Record<Removal, string> = {
  one: "Remove this call from the history?",
  fitting: "Remove the calls that fit the filter from the history?",
  all: "Remove all calls from the history?",
};

export const words = {
  listWidth: "Width of the list",
  newestFirst: "Calls, the newest first",
  keys: "Enter opens a call, Space marks it to be compared, Delete removes it.",
  fresh: (count: number) => counted(count, { one: "new call", other: "new calls" }),
  marked: "Marked to be compared",
  found: (count: number, more: boolean) => `${number(count)}${more ? "+" : ""} found`,
  calls,
  stillReading: "reading",
  reading: "Reading the history…",
  noneFits: "No call fits.",
  howWordsFit:
    "Each word has to stand in the member, the tool, the arguments, the error or the first part of the result; the last one may be a beginning.",
  noneYet: "No call was recorded yet.",
  recordingOff: "Recording is off.",
  howToBegin: (keys: string | undefined) => `Open a tool and ${keys === undefined ? "run it" : `press ${keys}`}: each call is kept here with its result, to be looked at and made again.`,

  markAnother: "Mark another call with Space",
  compare: (marked: number) => `Compare (${number(marked)} of 2 marked)`,
  unmark: "Unmark",
  compared: "Two results compared",
  callOfWindow: (at: number) => `call #${number(at)} of this window`,
  /** `{left}` and `{right}` are calls, by their time or number. */
  sidesOfOne: "{tool} of {left} and {right}",
  sidesOfTwo: "{tool} of {left} and {otherTool} of {right}",
  closeComparison: "Close the comparison",
  onlyBeginning: (call: string) => `Of the result of ${call} only the beginning was kept.`,
  readingCalls: "Reading the calls…",

  nothingToRemove: "There is nothing to remove",
  clear: "Clear…",
  removeQuestion,
  counting: "Counting…",
  noneFitsAnyMore: "No call fits any more.",
  wouldGo: (count: number, more: boolean) => `${atLeast(count, more)} would go, for good.`,
  savedStay: "Saved calls stay.",
  keepThem: "Keep them",
  remove: "Remove",
  removeCount: (count: number, more: boolean) => `Remove ${atLeast(count, more)}`,
  beingCounted: "They are being counted",
  beingRemoved: "They are being removed",
  removed: (count: number) => `${calls(count)} removed.`,

  export: "Export…",
  exporting: "Exporting…",
  exportFormat: "As JSON Lines: one call a line, the oldest first",
  exported: (count: number, path: string) => `${calls(count)} written to ${path}`,

  settings: "Settings",
  settingsOf: "Settings of the history",
  record: "Record calls",
  notRecording: "Calls are not being recorded.",
  unrecorded: (count: number) => `${calls(count)} could not be recorded since the start.`,
  keptInAnyCase: "Saved calls and drafts are kept in any case. Secrets are masked before anything is written.",
  keepAtMost: "Keep at most",
  callsUnit: "calls",
  inAtMost: "In at most",
  wholeNumber: "A whole number is needed.",
  between: (least: number, most: number) => `From ${number(least)} to ${number(most)}.`,
  oldestGo: (count: number) => `The oldest ${calls(count)} will be removed at once.`,
  /** `{file}` is a path. */
  keptIn: "{calls}, {size}, in {file}",
  keptInWithout: "{calls}, {size}, in {file}. Not recorded since the start: {unrecorded}.",
  cancel: "Cancel",
  save: "Save",
  numberWrong: "A number is wrong",

  call: "Call",
  readingCall: "Reading the call…",
  close: "Close",
  closeCall: "Close the call",
  cameBack: "What came back",
  truncated: "The result was too long to be kept whole; this is its beginning.",
  requestNotKept: "The history keeps the arguments, which are above, and not the message they were sent in.",
  argumentsChanged: "The tool's arguments have changed since this call.",
  argumentsUnknown: "Whether the tool's arguments have changed since this call is not known.",
  toolLookedUp: "The tool is being looked up",
  replay: "Replay into the form",
  runAgain: "Run again",
  sendAnyway: "Send anyway",
  withoutCheck: "Without a check against the tool's schema",
  saveAs: "Save as…",
  noResultOnScreen: "No result of a tool is on the screen",
  compareWithScreen: "Compare with the screen",
  onlyThisTool: "Only this tool",
  arguments: "Arguments",
  argumentsName: "arguments",
  argumentsToCopy: "the arguments",
  howShown: "How the arguments are shown",
};
