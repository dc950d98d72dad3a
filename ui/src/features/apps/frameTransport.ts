/**
 * The connection to an app's frame. It accepts messages only from that frame and its origin, and only in a limited
 * number and size. After a message that breaks a limit, the connection is closed.
 */
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import { JSONRPCMessageSchema } from "@modelcontextprotocol/core";

/** The number of messages that an app may send per second on average, and the number that it may send at once. */
export const MESSAGES_PER_SECOND = 100;
export const MESSAGES_AT_ONCE = 300;
/** The limits of one message: the number of values, and the total number of characters in strings and keys. */
export const VALUES_MAX = 50_000;
export const CHARACTERS_MAX = 1 << 20;

export class FrameTransport implements Transport {
  onclose?: () => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #frame: Window;
  readonly #origin: string;
  readonly #fail: (reason: string) => void;
  readonly #now: () => number;
  #allowance = MESSAGES_AT_ONCE;
  #lastMs: number;

  constructor(frame: Window, origin: string, fail: (reason: string) => void, now = () => performance.now()) {
    this.#frame = frame;
    this.#origin = origin;
    this.#fail = fail;
    this.#now = now;
    this.#lastMs = now();
  }

  start(): Promise<void> {
    window.addEventListener("message", this.#receive);
    return Promise.resolve();
  }

  send(message: JSONRPCMessage): Promise<void> {
    // If the frame was removed, no page can receive the message.
    if (!this.#frame.closed) this.#frame.postMessage(message, this.#origin);
    return Promise.resolve();
  }

  close(): Promise<void> {
    window.removeEventListener("message", this.#receive);
    this.onclose?.();
    return Promise.resolve();
  }

  readonly #receive = ({ source, origin, data }: MessageEvent<unknown>) => {
    if (source !== this.#frame || origin !== this.#origin) return;
    const problem = this.#problemOf(data);
    if (problem !== null) {
      void this.close();
      this.#fail(problem);
      return;
    }
    const message = JSONRPCMessageSchema.safeParse(data);
    if (message.success) this.onmessage?.(message.data);
  };

  #problemOf(data: unknown): string | null {
    const nowMs = this.#now();
    const earned = ((nowMs - this.#lastMs) / 1_000) * MESSAGES_PER_SECOND;
    this.#lastMs = nowMs;
    this.#allowance = Math.min(this.#allowance + earned, MESSAGES_AT_ONCE) - 1;
    if (this.#allowance < 0) return `It sent more than ${MESSAGES_PER_SECOND} messages per second.`;
    return isSmall(data) ? null : "It sent a message that is too large.";
  }
}

/** Whether a value is within the limits of a message. False for values with cycles and for binary data. */
export function isSmall(value: unknown): boolean {
  let values = VALUES_MAX;
  let characters = CHARACTERS_MAX;
  const left: unknown[] = [value];
  while (left.length > 0) {
    const next = left.pop();
    values -= 1;
    if (typeof next === "string") characters -= next.length;
    else if (typeof next === "bigint" || ArrayBuffer.isView(next) || next instanceof ArrayBuffer || next instanceof Blob) return false;
    else if (typeof next === "object" && next !== null) {
      const entries = Object.entries(next);
      if (left.length + entries.length > values) return false;
      for (const [key, inside] of entries) {
        characters -= key.length;
        left.push(inside);
      }
    }
    if (values < 0 || characters < 0) return false;
  }
  return true;
}
