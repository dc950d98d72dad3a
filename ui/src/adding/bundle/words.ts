/** What a bundle is, in words. */
import type { McpbChange, McpbLook } from "../../bridge/bindings";
import { counted } from "../../words/count";

const UNITS = ["bytes", "KiB", "MiB", "GiB"];

/** So many bytes for people. */
export function bytesWords(bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.max(0, Math.floor(Math.log2(Math.max(1, bytes)) / 10)));
  const value = bytes / 1024 ** power;
  return `${value.toLocaleString("en", { maximumFractionDigits: power === 0 ? 0 : 1 })} ${UNITS[power] ?? ""}`;
}

/** How large a bundle is. */
export function sizeWords({ files, bytes, unpacked }: McpbLook): string {
  return `${counted(files, "file")}, ${bytesWords(bytes)}; ${bytesWords(unpacked)} unpacked`;
}

export interface ChangeFace {
  readonly shape: string;
  readonly colour: string;
  readonly word: string;
}

/** How a bundle stands to the one that a member was made of. */
export const CHANGE: Record<McpbChange, ChangeFace> = {
  same: { shape: "●", colour: "text-ok", word: "the same file" },
  newer: { shape: "▲", colour: "text-accent", word: "newer" },
  older: { shape: "▼", colour: "text-warn", word: "older" },
  other: { shape: "◆", colour: "text-warn", word: "another file" },
};
