/** Input aids for texts, chosen by format, name and description. */

import type { StringNode } from "./node";

export type Aid =
  | { readonly kind: "date" | "time" | "date-time" | "uuid" }
  | { readonly kind: "path"; readonly wanted: PathKind };

/** The target of a path: an existing file or folder, or a file to be written. */
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

/** The words of a name: `outputFile`, `output_file` and `output-file` are the same two. */
function wordsOf(name: string): readonly string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "");
}

/** The tool around a field. */
export interface FieldContext {
  /** The names of its fields, in lower case. */
  readonly names: ReadonlySet<string>;
  /** Its name and its description. */
  readonly about: string;
}

const NOWHERE: FieldContext = { names: new Set(), about: "" };

const FOLDER = new Set(["dir", "directory", "folder", "cwd", "directories", "folders", "dirs"]);
const FILE = new Set(["file", "filepath", "files", "filepaths"]);
const PATH = new Set(["path", "paths"]);
/** With these the name is about a path outside of the file system, or about something else of a file. */
const ELSEWHERE = new Set([
  "id", "ids", "url", "uri", "json", "xpath", "jsonpath", "type", "format", "name", "key", "token", "extension", "content",
  "contents", "size", "mode", "encoding", "relative", "include", "exclude", "select", "includes", "excludes", "webhook",
  "api", "endpoint", "object", "field", "property", "group", "namespace", "hidden", "artifact", "blob", "remote",
]);
/** Fields beside which a path is one of a service or a repository, unless its description says otherwise. */
const REMOTE_NAMES = [
  "owner", "repo", "repository", "project_id", "projectid", "project-id", "bucket", "database", "db", "collection",
  "drive-id", "driveid", "site-id", "siteid", "share", "index",
];
/** Fields beside which a bare path is one of an address. A file to download to has another name. */
const ADDRESS_NAMES = ["url", "base_url", "baseurl"];
const LOCAL =
  /\b(local|absolute|file ?system|on disk|on (your|this|the) (machine|computer|system)|(working|current) directory|file to upload|current working)\b/i;
const REMOTE =
  /\b(api|url|endpoint|repository|repo|json|json ?path|archive|artifacts?|namespace|slug|id|file share|bucket|webhook|segment|encoded|field|relative (path|to)|on the server)\b/i;
const FILE_WORDS = /\b(files?|folders?|director(y|ies)|disk|dockerfile)\b/i;
const WRITTEN = /\b(output|save[ds]?|writes?|written|export(s|ed)?|download(s|ed)?)\b/i;
const READ = /\b(reads?|uploads?|load(s|ed)?|from|pars(e|es|ing)|existing|edits?)\b/i;

/** The description of a field, of its list, or the line for it in the text about the tool. */
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
  // A bare "path" is ambiguous, so the tool's text must mention files.
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
  // A file's name or a place is one of the file system only where the description says so.
  const vague = ["source", "destination", "output", "input", "filename"].includes(last);
  const toFile = /\bpath\b/i.test(described) && FILE_WORDS.test(described);
  if (!named && !(vague && (saysLocal || (last === "filename" && toFile)))) return null;
  if (!isLocal(described, words, around)) return null;
  return { kind: "path", wanted: wantedOf({ folder, file, words, described, about: around.about }) };
}

/** Which dialog fits: one for a file that is there, one for a file to be written, or one for a folder. */
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

/** The input aid of a text; `key` is the name of its field, or of the list that contains it. */
export function aidOf(node: StringNode, key: string, around: FieldContext = NOWHERE): Aid | null {
  if (node.secret || node.style === "base64") return null;
  const known = Object.hasOwn(FORMATS, node.format ?? "") ? FORMATS[node.format ?? ""] : undefined;
  if (known !== undefined) return known;
  return node.format === undefined && node.style === "line" ? pathOf(node, key, around) : null;
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

/** The lines that a text takes in a field of that many columns, up to a limit. */
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

/** The value of a native date or time picker for a text; empty if the text has no such value. */
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

/** The number of bytes that base64 text decodes to; `null` if the text is not base64. */
export function base64Bytes(text: string): number | null {
  if (!/^[A-Za-z0-9+/_-]*={0,2}$/.test(text)) return null;
  const digits = text.replace(/=+$/, "").length;
  return digits % 4 === 1 ? null : Math.floor((digits * 3) / 4);
}
