import type { DevStep, ExampleEnd, ExamplePart } from "../bridge/bindings";
import { counted } from "./format";

const steps: Record<DevStep, string> = {
  building: "building",
  restarting: "restarting",
  checking: "running examples",
  passed: "passed",
  "examples-failed": "examples failed",
  "build-failed": "build failed",
  "start-failed": "did not come up",
  "not-running": "stopped, and stays so",
  "broken-off": "broken off",
};

const ends: Record<ExampleEnd, string> = { passed: "passed", failed: "failed", "left-out": "not run" };

const parts: Record<ExamplePart, string> = {
  answer: "No result",
  "is-error": "Whether it failed",
  text: "Its text",
  structured: "Its structured content",
  schema: "The example's schema",
  "output-schema": "The tool's output schema",
};

const changed = (tools: number) => `${counted(tools, { one: "tool", other: "tools" })} changed`;
const failed = (examples: number) => `${counted(examples, { one: "example", other: "examples" })} failed`;

export const words = {
  steps,
  /** A round that passed without any example. */
  up: "up",
  ends,
  parts,
  partAt: (part: ExamplePart, place: string) => `${parts[part]} at ${place}`,
  /** `{place}` is where in the result. */
  partIn: (part: ExamplePart) => `${parts[part]} at {place}`,
  changed,
  failed,
  asAsked: "The examples, as asked for",
  files: (names: readonly string[], more: number) =>
    more === 0 ? names.join(", ") : `${names.join(", ")} and ${counted(more, { one: "more file", other: "more files" })}`,
  /** How a round ended, to be spoken. */
  ended: (member: string, step: string, tools: number, examples: number) =>
    [`${member}: ${step}`, tools > 0 ? changed(tools) : "", examples > 0 ? failed(examples) : ""].filter(Boolean).join(", "),

  whatIsWatched: "what is watched",
  lastChanges: "Last changes",
  filesTitle: "Files",
  /** `{patterns}` are the patterns of the watched files. */
  watched: "Watched: {patterns}",
  allFiles: "Watched: all files that people write",
  watchedCount: (files: number, folders: number) =>
    ` (${counted(files, { one: "file", other: "files" })} in ${counted(folders, { one: "folder", other: "folders" })})`,
  /** `{command}` builds the server. */
  builtBy: "Built first by {command}",
  afterChange: "After a change the member is restarted, its tools are compared, and its examples run.",
  /** `{setting}` is what the manifest needs. */
  notWatched: "Not watched. If you write this server, put {setting} into its plugin.json.",
  examples: "Examples",
  areRunning: "They run already",
  runExamples: (count: number) => `Run ${counted(count, { one: "example", other: "examples" })}`,
  running: "Running…",
  /** `{button}` is the name of a button on the tool's page. */
  noExample: "None. An example is a call with what its result has to be; {button} on a tool's page keeps one.",
  examplesInManifest: "Examples in the manifest",
  run: "Run",
  runOne: (name: string) => `Run ${name}`,

  stoppedBySomebody: "Somebody has stopped the member. Start it, and it runs the new code.",
  toolsChanged: "Tools that changed",
  moreTools: (count: number) => `and ${counted(count, { one: "more tool", other: "more tools" })}`,
  building: "Building…",
  builtIn: (took: string) => `Built in ${took}`,
  buildWrote: "What the build wrote last",
  expected: "expected",
  got: "got",
  nothing: "nothing",

  example: "Example…",
  keepMeans: "Keep this call as a check in plugin.json",
  runFirst: "Run the tool first: its call becomes the example",
  keepTitle: "Keep this call as an example",
  /** `{tool}` is the tool's name. */
  goesInto: (number: number, member: string) =>
    `Call #${number} of {tool} goes into ${member}'s plugin.json, at the end of its examples. Nothing else in the file changes.`,
  expect: "Expect",
  works: "it works",
  saysFailed: "the tool says that it failed",
  sameText: "the text that is shown",
  sameContent: "at least the structured content that is shown",
  name: "Name",
  keep: "Keep",
  kept: "The call is an example now.",
};
