/** Selects input aids for strings, such as date pickers and file dialogs, by format, field name and description. */

import type { StringNode } from "./node";

export type Aid =
  | { readonly kind: "date" | "time" | "date-time" | "uuid" }
  | { readonly kind: "path"; readonly wanted: PathKind };

/** The kind of path that a file dialog returns: an existing file or folder, or a file to be written. */
export type PathKind = "file" | "new-file" | "folder" | "either";

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

/** Splits a name into lower-case words: `outputFile`, `output_file` and `output-file` give the same two words. */
function wordsOf(name: string): readonly string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "");
}

/** Information about the tool that a field belongs to. */
export interface FieldContext {
  /** The names of the tool's fields, in lower case. */
  readonly names: ReadonlySet<string>;
  /** The tool's name and description, separated by a line break. */
  readonly about: string;
}

const NOWHERE: FieldContext = { names: new Set(), about: "" };

const FOLDER = new Set(["dir", "directory", "folder", "cwd", "directories", "folders", "dirs"]);
const FILE = new Set(["file", "filepath", "files", "filepaths"]);
const PATH = new Set(["path", "paths"]);
/** Words in a field's name that rule out a path in the local file system, such as `url` in `urlPath`. */
const ELSEWHERE = new Set([
  "id", "ids", "url", "uri", "json", "xpath", "jsonpath", "type", "format", "name", "key", "token", "extension", "content",
  "contents", "size", "mode", "encoding", "relative", "include", "exclude", "select", "includes", "excludes", "webhook",
  "api", "endpoint", "object", "field", "property", "group", "namespace", "hidden", "artifact", "blob", "remote",
]);
/** If a tool has one of these fields, its paths are in a remote service, unless a description says they are local. */
const REMOTE_NAMES = [
  "owner", "repo", "repository", "project_id", "projectid", "project-id", "bucket", "database", "db", "collection",
  "drive-id", "driveid", "site-id", "siteid", "share", "index",
];
/** If a tool has one of these fields, its field `path` is part of a URL instead of the file to download to. */
const ADDRESS_NAMES = ["url", "base_url", "baseurl"];
const LOCAL =
  /\b(local|absolute|file ?system|on disk|on (your|this|the) (machine|computer|system)|(working|current) directory|file to upload|current working)\b/i;
const REMOTE =
  /\b(api|url|endpoint|repository|repo|json|json ?path|archive|artifacts?|namespace|slug|id|file share|bucket|webhook|segment|encoded|field|relative (path|to)|on the server)\b/i;
const FILE_WORDS = /\b(files?|folders?|director(y|ies)|disk|dockerfile)\b/i;
const WRITTEN = /\b(output|save[ds]?|writes?|written|export(s|ed)?|download(s|ed)?)\b/i;
const READ = /\b(reads?|uploads?|load(s|ed)?|from|pars(e|es|ing)|existing|edits?)\b/i;

/** The description of a field or its list, or else the line about the field in the tool's description. */
function describedIn(node: StringNode, key: string, about: string): string {
  const description = node.description ?? node.listDescription;
  if (description !== undefined) return description;
  for (const line of about.split("\n").slice(0, 400)) {
    const [name = "", ...rest] = line.split(":");
    const plain = name.replace(/\(.*$/, "").replace(/[`*-]/g, "").trim();
    if (plain === key && rest.length > 0) return rest.join(":").trim();
  }
  return "";
}

function isLocal(described: string, words: readonly string[], { names, about }: FieldContext): boolean {
  if (/\bon the server\b/i.test(described)) return false;
  if (words.includes("local") || LOCAL.test(described)) return true;
  if (REMOTE.test(described) || REMOTE_NAMES.some((name) => names.has(name))) return false;
  const bare = words.length === 1 && PATH.has(words[0] ?? "");
  if (bare && ADDRESS_NAMES.some((name) => names.has(name))) return false;
  if (described !== "") return FILE_WORDS.test(described) || FILE_WORDS.test(words.join(" "));
  // The name `path` alone is ambiguous, so the tool's description has to mention files.
  return !bare || about === "" || FILE_WORDS.test(about.replace(/_/g, " "));
}

function pathOf(node: StringNode, key: string, around: FieldContext): Aid | null {
  const words = wordsOf(key);
  const last = words.at(-1) ?? "";
  const described = describedIn(node, key, around.about);
  const saysLocal = words.includes("local") || LOCAL.test(described);
  if (words.some((word) => ELSEWHERE.has(word))) return null;
  if (node.fallback?.kind === "string" && /^[/$.]?$/.test(node.fallback.value) && !saysLocal) return null;
  const isPath = words.length > 1 && PATH.has(last);
  const folder = FOLDER.has(last) || (isPath && words.some((word) => FOLDER.has(word)));
  const file = FILE.has(last) || (isPath && words.some((word) => FILE.has(word)));
  const named = folder || file || PATH.has(last);
  // A string with one of these names is a file path only if the field's description says so.
  const vague = ["source", "destination", "output", "input", "filename"].includes(last);
  const toFile = /\bpath\b/i.test(described) && FILE_WORDS.test(described);
  if (!named && !(vague && (saysLocal || (last === "filename" && toFile)))) return null;
  if (!isLocal(described, words, around)) return null;
  return { kind: "path", wanted: wantedOf({ folder, file, words, described, about: around.about }) };
}

/** The kind of dialog for a path: open a file, save a file, or choose a folder. */
function wantedOf(path: { folder: boolean; file: boolean; words: readonly string[]; described: string; about: string }): PathKind {
  const { folder, file, words, about } = path;
  if (folder) return "folder";
  const described = path.described.replace(/\b(current|working|parent) (directory|folder)\b|\bfile ?system\b/gi, "");
  const saysFolder = /\b(directory|folder)\b/i.test(described);
  const saysFile = /\b(file|dockerfile)\b/i.test(described);
  if (saysFolder && !file && !saysFile) return "folder";
  const tool = wordsOf(about.split("\n")[0] ?? "");
  const toolWrites =
    tool.some((word) => ["write", "save", "export", "download"].includes(word)) || (tool.includes("create") && tool.includes("file"));
  const toOutput = words.some((word) => word === "output" || word === "out");
  const writes = toOutput || (described === "" ? toolWrites : WRITTEN.test(described));
  if (writes && !READ.test(described) && !saysFolder) return "new-file";
  if (described === "" && tool.some((word) => FOLDER.has(word))) return "folder";
  if (file || (described === "" && tool.includes("file") && (tool.includes("read") || tool.includes("edit")))) return "file";
  return saysFile && !saysFolder ? "file" : "either";
}

/** The input aid of a string; `key` is the name of its field, or of the list that contains it. */
export function aidOf(node: StringNode, key: string, around: FieldContext = NOWHERE): Aid | null {
  if (node.secret || node.style === "base64") return null;
  const known = Object.hasOwn(FORMATS, node.format ?? "") ? FORMATS[node.format ?? ""] : undefined;
  if (known !== undefined) return known;
  return node.format === undefined && node.style === "line" ? pathOf(node, key, around) : null;
}

const LONG = new Set(["content", "contents", "body", "code", "script", "sql", "html", "markdown", "css", "prompt", "template", "snippet", "statement"]);
const LONG_PAIRS = new Set(["old text", "new text", "old string", "new string", "file text", "old str", "new str"]);

/** Whether a string usually has several lines, judged by its schema and its field name. */
export function isLong(node: StringNode, key: string): boolean {
  if (node.style !== "line") return node.style === "lines";
  if (node.format !== undefined || node.secret) return false;
  // A name such as `code` with a pattern is an identifier, not source code.
  if (node.patterned) return false;
  const words = wordsOf(key);
  return LONG.has(words.at(-1) ?? "") || LONG_PAIRS.has(words.join(" "));
}

/** The number of wrapped lines of a text in a field of `columns` characters, at most `max`. */
export function rowsOf(text: string, columns: number, max: number): number {
  let rows = 0;
  for (const line of text.split("\n")) {
    rows += Math.max(1, Math.ceil(line.length / columns));
    if (rows >= max) return max;
  }
  return rows;
}

/** A random UUID of version 4. `crypto.randomUUID` does not exist on pages without a secure context. */
export function newUuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const hex = Array.from(bytes, (byte, index) => {
    const marked = index === 6 ? (byte & 0x0f) | 0x40 : index === 8 ? (byte & 0x3f) | 0x80 : byte;
    return marked.toString(16).padStart(2, "0");
  }).join("");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}

/** The value of a native date or time picker that corresponds to a string; empty if there is none. */
export function pickerValue(kind: "date" | "time" | "date-time", text: string): string {
  const date = /^([0-9]{4}-[0-9]{2}-[0-9]{2})/.exec(text)?.[1] ?? "";
  const time = /(?:^|[Tt ])([0-9]{2}:[0-9]{2}(?::[0-9]{2})?)/.exec(text)?.[1] ?? "";
  if (kind === "date") return date;
  if (kind === "time") return time;
  return date === "" || time === "" ? "" : `${date}T${time}`;
}

/** The UTC offset of the local time zone at a moment, such as `+01:00` or `Z`. */
function offsetAt(moment: Date): string {
  const minutes = -moment.getTimezoneOffset();
  if (minutes === 0) return "Z";
  const two = (value: number) => String(Math.trunc(value)).padStart(2, "0");
  return `${minutes < 0 ? "-" : "+"}${two(Math.abs(minutes) / 60)}:${two(Math.abs(minutes) % 60)}`;
}

/**
 * The string for a picked date or time, with a UTC offset if it has a time. The offset of the previous string is
 * kept; without one, the offset of the local time zone is used.
 */
export function pickedText(kind: "date" | "time" | "date-time", value: string, before: string, today: Date): string {
  if (value === "" || kind === "date") return value;
  const whole = /:[0-9]{2}:[0-9]{2}/.test(value) ? value : `${value}:00`;
  const kept = /(Z|[+-][0-9]{2}:[0-9]{2})$/.exec(before)?.[1];
  const moment = kind === "date-time" ? new Date(whole) : today;
  return whole + (kept ?? offsetAt(Number.isNaN(moment.getTime()) ? today : moment));
}

/** The number of bytes that base64 text decodes to; `null` if the text is not base64. */
export function base64Bytes(text: string): number | null {
  if (!/^[A-Za-z0-9+/_-]*={0,2}$/.test(text)) return null;
  const digits = text.replace(/=+$/, "").length;
  return digits % 4 === 1 ? null : Math.floor((digits * 3) / 4);
}
