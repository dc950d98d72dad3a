/** The words for a bundle. */
import type { McpbChange, McpbLook } from "../../../ipc/bindings";
import { counted, number } from "../../../lib/format";
import type { Face } from "../../../components/status";

const BYTE_UNITS = ["bytes", "KiB", "MiB", "GiB"];

/** Formats a number of bytes. */
export function bytesWords(bytes: number): string {
  const units = BYTE_UNITS;
  const power = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log2(Math.max(1, bytes)) / 10)));
  return `${number(Math.round((bytes / 1024 ** power) * 10) / 10)} ${units[power] ?? ""}`;
}

/** The number of files and the sizes of a bundle. */
export function sizeWords({ files, bytes, unpacked }: McpbLook): string {
  return `${counted(files, { one: "file", other: "files" })}, ${bytesWords(bytes)}; ${bytesWords(unpacked)} unpacked`;
}

/** The relation of a bundle to the installed one. */
export const CHANGE: Record<McpbChange, Face> = {
  same: { shape: "dot", colour: "text-ok", word: "the same file" },
  newer: { shape: "up", colour: "text-accent", word: "newer" },
  older: { shape: "down", colour: "text-warn", word: "older" },
  other: { shape: "gem", colour: "text-warn", word: "another file" },
};
