/**
 * What came back of a call, sorted into what the pane can show. Read with the form's own JSON
 * reader, so that numbers are shown digit for digit. Never throws.
 */

import { childOf, type Draft } from "../form/model/draft";
import { parseJson, toEditableText } from "../form/model/json";

/** One part of a result's `content`. */
export type Part =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "image" | "audio"; readonly mime: string; readonly data: string }
  | { readonly kind: "link"; readonly words: readonly (readonly [string, string])[]; readonly uri: string }
  | { readonly kind: "resource"; readonly uri: string; readonly mime: string; readonly inner: Part }
  | { readonly kind: "file"; readonly mime: string; readonly data: string; readonly why: string }
  | { readonly kind: "other"; readonly type: string; readonly json: string };

export interface ReadResult {
  readonly parts: readonly Part[];
  readonly structured: Draft | null;
  /** Why the result can't be shown as parts. */
  readonly problem: string | null;
}

/** Images that a browser draws without running anything; SVG is not among them. */
const IMAGES = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);
const SOUNDS = new Set(["audio/wav", "audio/x-wav", "audio/mpeg", "audio/mp3", "audio/ogg", "audio/webm", "audio/mp4", "audio/aac", "audio/flac"]);
/** Larger data is offered as a file. In characters of base64. */
const MEDIA_MAX = 24 * 1024 * 1024;
/** So many parts are shown. */
export const PARTS_MAX = 200;

const BASE64 = /^[A-Za-z0-9+/\s]*={0,2}\s*$/;

function said(draft: Draft, key: string): string | undefined {
  const held = childOf(draft, key);
  return held.kind === "string" ? held.value : undefined;
}

/** Reads a result as the server sent it. */
export function readResult(text: string): ReadResult {
  const read = parseJson(text);
  if (!("ok" in read)) return { parts: [], structured: null, problem: read.problem.message };
  const content = childOf(read.ok, "content");
  const structured = childOf(read.ok, "structuredContent");
  return {
    parts: content.kind === "array" ? content.items.slice(0, PARTS_MAX).map(partOf) : [],
    structured: structured.kind === "absent" ? null : structured,
    problem: hidden(content),
  };
}

function hidden(content: Draft): string | null {
  if (content.kind === "absent") return null;
  if (content.kind !== "array") return "Its content is not a list.";
  const left = content.items.length - PARTS_MAX;
  return left > 0 ? `${left} more parts are not shown here.` : null;
}

function partOf(draft: Draft): Part {
  const type = said(draft, "type");
  const text = said(draft, "text");
  if (type === "text" && text !== undefined) return { kind: "text", text };
  const data = said(draft, "data");
  const mime = mimeOf(draft);
  if ((type === "image" || type === "audio") && data !== undefined) return mediaOf(type, mime, data);
  const uri = said(draft, "uri");
  if (type === "resource_link" && uri !== undefined) {
    const words = ["title", "name", "description", "mimeType"].flatMap((key) => {
      const word = said(draft, key);
      return word === undefined ? [] : [[key, word] as const];
    });
    return { kind: "link", uri, words };
  }
  if (type === "resource") {
    const resource = childOf(draft, "resource");
    const place = said(resource, "uri");
    const inner = resourceOf(resource);
    if (place !== undefined && inner !== null) return { kind: "resource", uri: place, mime: mimeOf(resource), inner };
  }
  return { kind: "other", type: type ?? "without a type", json: toEditableText(draft) };
}

function mimeOf(draft: Draft): string {
  return (said(draft, "mimeType") ?? "").toLowerCase().split(";")[0]?.trim() ?? "";
}

function resourceOf(resource: Draft): Part | null {
  const text = said(resource, "text");
  if (text !== undefined) return { kind: "text", text };
  const blob = said(resource, "blob");
  if (blob === undefined) return null;
  const mime = mimeOf(resource);
  if (mime.startsWith("image/")) return mediaOf("image", mime, blob);
  if (mime.startsWith("audio/")) return mediaOf("audio", mime, blob);
  return fileOf(mime, blob, "");
}

function mediaOf(kind: "image" | "audio", mime: string, data: string): Part {
  const type = mime === "image/jpg" ? "image/jpeg" : mime;
  if (!BASE64.test(data.slice(0, 1_000)) || !BASE64.test(data.slice(-1_000))) {
    return { kind: "other", type: `${kind} whose data is no base64`, json: data.slice(0, 2_000) };
  }
  if (!(kind === "image" ? IMAGES : SOUNDS).has(type)) {
    return fileOf(type, data, `${type === "" ? "A type that was not named" : type} is not shown here.`);
  }
  if (data.length > MEDIA_MAX) return fileOf(type, data, "It is too large to be shown here.");
  return { kind, mime: type, data };
}

function fileOf(mime: string, data: string, why: string): Part {
  return { kind: "file", mime: mime === "" ? "application/octet-stream" : mime, data, why };
}

/** A text that is a JSON object or list, written over several lines; `null` for any other text. */
export function prettyJson(text: string): string | null {
  if (!/^\s*[[{]/.test(text) || text.length > 2_000_000) return null;
  const read = parseJson(text);
  return "ok" in read ? toEditableText(read.ok) : null;
}

/** The number of bytes that base64 text stands for. */
export function base64Bytes(data: string): number {
  return Math.floor((data.replace(/[\s=]/g, "").length * 3) / 4);
}

/** `512 B`, `1.2 KB`, `3.4 MB`. */
export function sizeWord(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  if (bytes < 1_000_000) return `${(bytes / 1_000).toFixed(1)} KB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
