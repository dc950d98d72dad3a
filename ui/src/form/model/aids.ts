/** What helps to type a text, by its format and by what its name and description say of it. */

import type { StringNode } from "./node";

export type Aid =
  | { readonly kind: "date" | "time" | "date-time" | "uuid" }
  | { readonly kind: "path"; readonly wanted: "file" | "folder" | "either" };

const FORMATS: Readonly<Record<string, Aid>> = {
  date: { kind: "date" },
  time: { kind: "time" },
  "date-time": { kind: "date-time" },
  uuid: { kind: "uuid" },
  path: { kind: "path", wanted: "either" },
  "file-path": { kind: "path", wanted: "file" },
  filepath: { kind: "path", wanted: "file" },
  "directory-path": { kind: "path", wanted: "folder" },
};

/** The words of a name: `outputFile`, `output_file` and `output-file` are the same two. */
function wordsOf(name: string): readonly string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "");
}

const FOLDER = new Set(["dir", "directory", "folder", "cwd", "workspace", "directories", "folders", "dirs"]);
const FILE = new Set(["file", "filename", "filepath", "files", "filepaths"]);
const PATH = new Set(["path", "paths"]);
/** With these the name speaks of a path that is in no file system, or of something about a file. */
const ELSEWHERE = new Set(["id", "ids", "url", "uri", "json", "xpath", "type", "format", "name", "key", "token", "extension", "content", "contents", "size", "mode", "encoding"]);
const LOCAL = /\b(local|absolute|file ?system|on disk|working directory|directory|folder|file path|path (to|of) (a|an|the)\b)/i;

function pathOf(node: StringNode, key: string): Aid | null {
  const words = wordsOf(key);
  const last = words.at(-1) ?? "";
  if (words.some((word) => ELSEWHERE.has(word))) return null;
  const folder = FOLDER.has(last) || (words.length > 1 && PATH.has(last) && words.some((word) => FOLDER.has(word)));
  const file = FILE.has(last) || (words.length > 1 && PATH.has(last) && words.some((word) => FILE.has(word)));
  const about = node.description ?? "";
  if (folder) return { kind: "path", wanted: "folder" };
  if (file) return { kind: "path", wanted: "file" };
  if (!PATH.has(last) && !(["source", "destination", "output", "input"].includes(last) && LOCAL.test(about))) return null;
  // A bare "path" is most often one of the file system; an API's path says so.
  if (/\b(api|url|endpoint|http|repository|query|json)\b/i.test(about)) return null;
  const dir = /\b(directory|folder)\b/i.test(about);
  return { kind: "path", wanted: dir === /\bfile\b/i.test(about) ? "either" : dir ? "folder" : "file" };
}

/** What helps with a text; `key` is the name of its field, or of the list that it is an item of. */
export function aidOf(node: StringNode, key: string): Aid | null {
  if (node.secret || node.style === "base64") return null;
  const known = Object.hasOwn(FORMATS, node.format ?? "") ? FORMATS[node.format ?? ""] : undefined;
  if (known !== undefined) return known;
  return node.format === undefined && node.style === "line" ? pathOf(node, key) : null;
}

const LONG = new Set(["content", "contents", "body", "code", "script", "sql", "html", "markdown", "css", "prompt", "template", "snippet", "statement"]);
const LONG_PAIRS = new Set(["old text", "new text", "old string", "new string", "file text", "old str", "new str"]);

/** Whether a text of this name is most often one of many lines. */
export function isLong(node: StringNode, key: string): boolean {
  if (node.style !== "line") return node.style === "lines";
  if (node.format !== undefined || node.secret) return false;
  // A code with a pattern is a number of an article, not a program.
  if (node.patterned) return false;
  const words = wordsOf(key);
  return LONG.has(words.at(-1) ?? "") || LONG_PAIRS.has(words.join(" "));
}

/** The lines that a text takes in a field of so many columns, up to a limit. */
export function rowsOf(text: string, columns: number, max: number): number {
  let rows = 0;
  for (const line of text.split("\n")) {
    rows += Math.max(1, Math.ceil(line.length / columns));
    if (rows >= max) return max;
  }
  return rows;
}

/** A random UUID of version 4. Unlike `randomUUID`, this works on every address that a page may have. */
export function newUuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const hex = Array.from(bytes, (byte, index) => {
    const marked = index === 6 ? (byte & 0x0f) | 0x40 : index === 8 ? (byte & 0x3f) | 0x80 : byte;
    return marked.toString(16).padStart(2, "0");
  }).join("");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}

/** What a native picker of a date or a time shows of a text; empty where it can't. */
export function pickerValue(kind: "date" | "time" | "date-time", text: string): string {
  const date = /^([0-9]{4}-[0-9]{2}-[0-9]{2})/.exec(text)?.[1] ?? "";
  const time = /(?:^|[Tt ])([0-9]{2}:[0-9]{2}(?::[0-9]{2})?)/.exec(text)?.[1] ?? "";
  if (kind === "date") return date;
  if (kind === "time") return time;
  return date === "" || time === "" ? "" : `${date}T${time}`;
}

/** The offset of this place's clock at a moment, as the formats write it. */
function offsetAt(moment: Date): string {
  const minutes = -moment.getTimezoneOffset();
  if (minutes === 0) return "Z";
  const two = (value: number) => String(Math.trunc(value)).padStart(2, "0");
  return `${minutes < 0 ? "-" : "+"}${two(Math.abs(minutes) / 60)}:${two(Math.abs(minutes) % 60)}`;
}

/**
 * The text for what was picked. The offset of the text before is kept, else it is the one of this
 * place's clock, so that the moment is the one that was meant.
 */
export function pickedText(kind: "date" | "time" | "date-time", value: string, before: string, today: Date): string {
  if (value === "" || kind === "date") return value;
  const whole = /:[0-9]{2}:[0-9]{2}/.test(value) ? value : `${value}:00`;
  const kept = /(Z|[+-][0-9]{2}:[0-9]{2})$/.exec(before)?.[1];
  const moment = kind === "date-time" ? new Date(whole) : today;
  return whole + (kept ?? offsetAt(Number.isNaN(moment.getTime()) ? today : moment));
}

/** How many bytes base64 text stands for; `null` when it is none. */
export function base64Bytes(text: string): number | null {
  if (!/^[A-Za-z0-9+/_-]*={0,2}$/.test(text)) return null;
  const digits = text.replace(/=+$/, "").length;
  return digits % 4 === 1 ? null : Math.floor((digits * 3) / 4);
}
