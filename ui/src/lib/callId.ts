import type { CallId } from "../ipc/bindings";

/** 128 random bits. Unlike `randomUUID`, this works on every address that a page may have. */
export function newCallId(): CallId {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
