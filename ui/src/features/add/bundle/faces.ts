/** Labels for bundles. */
import type { McpbChange, McpbLook } from "../../../ipc/bindings";
import { counted } from "../../../lib/format";
import { sizeWord } from "../../results/content";
import type { Face } from "../../../components/status";

/** The number of files in a bundle, its size, and its unpacked size. */
export function sizeWords({ files, bytes, unpacked }: McpbLook): string {
  return `${counted(files, { one: "file", other: "files" })}, ${sizeWord(bytes)}; ${sizeWord(unpacked)} unpacked`;
}

/** The icon, color and label for how a bundle compares with the installed one. */
export const CHANGE: Record<McpbChange, Face> = {
  same: { shape: "dot", colour: "text-ok", word: "the same file" },
  newer: { shape: "up", colour: "text-accent", word: "newer" },
  older: { shape: "down", colour: "text-warn", word: "older" },
  other: { shape: "gem", colour: "text-warn", word: "another file" },
};
