/** Splits the result of a call into content parts that the pane can render. Never throws. */

import { decimal, number } from "../../lib/format";
import { finish, type Steps } from "./json/steps";
import { prettySteps } from "./json/pretty";
import { childAt, childrenOf, countOf, kindOf, lengthOf, sourceOf, stringAt, textAt, type Tape } from "./json/tape";

/** A part's audience, priority and modification time, as reported by the server. */
export interface PartNotes {
  readonly audience: readonly string[];
  readonly priority: string | null;
  readonly lastModified: string | null;
}

/** One part of a result's `content` list. */
export type Part = { readonly notes: PartNotes | null } & PartContent;

export type PartContent =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "image" | "audio"; readonly mime: string; readonly data: string }
  | { readonly kind: "link"; readonly properties: readonly (readonly [string, string])[]; readonly uri: string }
  | { readonly kind: "resource"; readonly uri: string; readonly mime: string; readonly inner: PartContent }
  | { readonly kind: "file"; readonly mime: string; readonly data: string; readonly why: string }
  | { readonly kind: "other"; readonly title: string; readonly json: string };

interface ReadResult {
  readonly parts: readonly Part[];
  /** The tape index of the structured content; -1 if there is none. */
  readonly structured: number;
  /** The reason why some of the result can't be shown; `null` if everything is shown. */
  readonly problem: string | null;
}

/** Image types that a browser renders without running code. SVG is therefore excluded. */
const IMAGES = new Set(["image/png", "image/jpeg", "image/gif", "image/webp", "image/avif", "image/bmp"]);
const SOUNDS = new Set(["audio/wav", "audio/x-wav", "audio/mpeg", "audio/mp3", "audio/ogg", "audio/webm", "audio/mp4", "audio/aac", "audio/flac"]);
/** The maximum length of an image or audio, in base64 characters. Larger data can only be saved as a file. */
const MEDIA_MAX = 24 * 1024 * 1024;
/** The maximum number of parts shown. */
export const PARTS_MAX = 200;

const BASE64 = /^[A-Za-z0-9+/\s]*={0,2}\s*$/;

/** Reads a result whose JSON is on the tape. */
export function readResult(tape: Tape): ReadResult {
  const content = childAt(tape, 0, "content");
  const parts: Part[] = [];
  if (content >= 0 && kindOf(tape, content) === "array") {
    for (const child of childrenOf(tape, content)) {
      if (parts.length === PARTS_MAX) break;
      parts.push(partAt(tape, child));
    }
  }
  return { parts, structured: childAt(tape, 0, "structuredContent"), problem: hidden(tape, content) };
}

function hidden(tape: Tape, content: number): string | null {
  if (content < 0) return null;
  if (kindOf(tape, content) !== "array") return "Its content is not a list.";
  const left = countOf(tape, content) - PARTS_MAX;
  return left > 0 ? `${number(left)} more parts are not shown here; Raw has them all.` : null;
}

function notesOf(tape: Tape, node: number): PartNotes | null {
  const held = childAt(tape, node, "annotations");
  if (held < 0) return null;
  const audience = childAt(tape, held, "audience");
  const priority = childAt(tape, held, "priority");
  return {
    audience:
      audience >= 0 && kindOf(tape, audience) === "array"
        ? [...childrenOf(tape, audience)].slice(0, 10).filter((one) => kindOf(tape, one) === "string").map((one) => stringAt(tape, one).slice(0, 80))
        : [],
    priority: priority >= 0 && kindOf(tape, priority) === "number" ? sourceOf(tape, priority) : null,
    lastModified: textAt(tape, held, "lastModified")?.slice(0, 80) ?? null,
  };
}

/** The content part at a tape index: an item of `content`, or the content of a prompt message. */
export function partAt(tape: Tape, node: number): Part {
  return { ...partOf(tape, node), notes: notesOf(tape, node) };
}

/** The content of a resource that was read, at the tape index of an item of `contents`. */
export function contentsAt(tape: Tape, node: number): Part {
  const uri = textAt(tape, node, "uri");
  const inner = resourceOf(tape, node);
  const content: PartContent =
    uri === undefined || inner === null
      ? { kind: "other", title: "content that is not a resource", json: sourceOf(tape, node) }
      : { kind: "resource", uri, mime: mimeOf(tape, node), inner };
  return { ...content, notes: notesOf(tape, node) };
}

function partOf(tape: Tape, node: number): PartContent {
  const type = textAt(tape, node, "type");
  const text = type === "text" ? textAt(tape, node, "text") : undefined;
  if (text !== undefined) return { kind: "text", text };
  if (type === "image" || type === "audio") {
    const data = textAt(tape, node, "data");
    if (data !== undefined) return mediaOf(type, mimeOf(tape, node), data);
  }
  const uri = textAt(tape, node, "uri");
  if (type === "resource_link" && uri !== undefined) {
    const properties = ["title", "name", "description", "mimeType"].flatMap((key) => {
      const word = textAt(tape, node, key);
      return word === undefined ? [] : [[key, word] as const];
    });
    const size = childAt(tape, node, "size");
    if (size >= 0 && kindOf(tape, size) === "number") properties.push(["size", sizeWord(Number(sourceOf(tape, size)))]);
    return { kind: "link", uri, properties };
  }
  if (type === "resource") {
    const resource = childAt(tape, node, "resource");
    const place = resource < 0 ? undefined : textAt(tape, resource, "uri");
    const inner = resource < 0 ? null : resourceOf(tape, resource);
    if (place !== undefined && inner !== null) return { kind: "resource", uri: place, mime: mimeOf(tape, resource), inner };
  }
  // Large content of an unknown type is not formatted, because formatting would take too long.
  const json = lengthOf(tape, node) > 1_000_000 ? sourceOf(tape, node) : finish(prettySteps(tape, node));
  return { kind: "other", title: type === undefined ? "content without a type" : `content ${type}`, json };
}

function mimeOf(tape: Tape, node: number): string {
  return (textAt(tape, node, "mimeType") ?? "").toLowerCase().split(";")[0]?.trim() ?? "";
}

function resourceOf(tape: Tape, resource: number): PartContent | null {
  const text = textAt(tape, resource, "text");
  if (text !== undefined) return { kind: "text", text };
  const blob = textAt(tape, resource, "blob");
  if (blob === undefined) return null;
  const mime = mimeOf(tape, resource);
  if (mime.startsWith("image/")) return mediaOf("image", mime, blob);
  if (mime.startsWith("audio/")) return mediaOf("audio", mime, blob);
  return fileOf(mime, blob, "");
}

function mediaOf(kind: "image" | "audio", mime: string, data: string): PartContent {
  const type = mime === "image/jpg" ? "image/jpeg" : mime;
  if (!BASE64.test(data.slice(0, 1_000)) || !BASE64.test(data.slice(-1_000))) {
    return { kind: "other", title: `content ${kind} whose data is not base64`, json: data.slice(0, 2_000) };
  }
  if (!(kind === "image" ? IMAGES : SOUNDS).has(type)) {
    return fileOf(type, data, type === "" ? "Content without a type is not shown here." : `${type} is not shown here.`);
  }
  if (data.length > MEDIA_MAX) return fileOf(type, data, "It is too large to be shown here.");
  return { kind, mime: type, data };
}

function fileOf(mime: string, data: string, why: string): PartContent {
  return { kind: "file", mime: mime === "" ? "application/octet-stream" : mime, data, why };
}

/** The number of bytes that a base64 string decodes to. */
export function base64Bytes(data: string): number {
  return Math.floor((data.replace(/[\s=]/g, "").length * 3) / 4);
}

const PIECE = 1_000_000;

/** The length of a text in UTF-8, in bytes. */
export function* byteSteps(text: string): Steps<number> {
  const encoder = new TextEncoder();
  let bytes = 0;
  for (let at = 0; at < text.length; ) {
    // The slice must not end inside a surrogate pair.
    const code = text.charCodeAt(at + PIECE);
    const end = at + PIECE + (code >= 0xdc00 && code <= 0xdfff ? 1 : 0);
    bytes += encoder.encode(text.slice(at, end)).length;
    at = end;
    yield;
  }
  return bytes;
}

/** A size such as `512 B`, `1.2 KB` or `3.4 MB`. */
export function sizeWord(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  if (bytes < 1_000_000) return `${decimal(bytes / 1_000, 1)} KB`;
  return `${decimal(bytes / 1_000_000, 1)} MB`;
}

const LOOKS_LIKE_JSON = /^\s*[[{]/;

/** Whether a text looks like a JSON object or list, so that it is worth parsing. */
export function mayBeJson(text: string): boolean {
  return LOOKS_LIKE_JSON.test(text) && /[\]}]\s*$/.test(text.slice(-1_000));
}
