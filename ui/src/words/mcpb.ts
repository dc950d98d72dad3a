import type { McpbChange } from "../bridge/bindings";
import { counted } from "./format";

const changes: Record<McpbChange, string> = { same: "the same file", newer: "newer", older: "older", other: "another file" };

const mayHaveMore = (more: boolean) => (more ? ", and may have more when it runs" : "");

export const words = {
  whatTheyAre:
    "An MCPB bundle (.mcpb, once .dxt) has a server and all that it needs in one file. Choose one, or drop it on the window: you see what is in it and what it would run. Nothing is written before you install it, and nothing of it runs before you have accepted that.",
  bundle: "the bundle",
  unusable: (path: string) => `${path} can't be used.`,
  lookingInto: (path: string) => `Looking into ${path}…`,
  otherBeingInstalled: "A bundle is being installed",
  choose: "Choose a bundle",
  path: "Path of the bundle",
  pathSample: "/home/me/Downloads/server.mcpb",
  lookInto: "Look into it",
  chooseFile: "Choose a bundle…",

  byteUnits: ["bytes", "KiB", "MiB", "GiB"],
  size: (files: number, packed: string, unpacked: string) => `${counted(files, { one: "file", other: "files" })}, ${packed}; ${unpacked} unpacked`,
  more: "More",
  by: (author: string) => `by ${author}`,
  runsOn: (system: string, runtimes: readonly string[]) => `Runs on ${system}${runtimes.length > 0 ? ` (${runtimes.join(", ")})` : ""}.`,
  signatureUnchecked: "It has a signature, which is not checked.",
  suspicious: "Suspicious",
  inTool: (tool: string) => `in the tool ${tool}`,
  saysTools: (count: number, more: boolean) => `It says that it has ${counted(count, { one: "tool", other: "tools" })}${mayHaveMore(more)}`,
  saysPrompts: (count: number, more: boolean) => `It says that it has ${counted(count, { one: "prompt", other: "prompts" })}${mayHaveMore(more)}`,

  changes,
  isInstalled: "This bundle is installed",
  /** `{how}` is one of `changes`. */
  putInPlaceOf: "Put it in the place of version {version} of the member {member}; this one is {how}",
  makeAnother: "Make another member of it",
  putInPlace: (version: string) => `Put it in the place of ${version}`,
  unpacksOnly: "Installing unpacks it into the member's folder. It starts when you have accepted what it runs, on the page that follows.",
  replaced: (member: string, version: string, before: string) =>
    `${member} has ${version} in the place of ${before}. It runs when you have accepted what it runs.`,
  reading: "Reading it…",
  unpackedOf: (done: string, of: string) => `${done} of ${of} unpacked`,
  unpacked: "Unpacked",
  cancel: "Cancel",
};
