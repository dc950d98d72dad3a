import type { CallId } from "../ipc/bindings";

/** A new call id: 128 random bits as hex. `crypto.randomUUID` is not available on insecure origins. */
export function newCallId(): CallId {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
