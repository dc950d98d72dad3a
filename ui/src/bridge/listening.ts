/**
 * How the page hears of what happens: it asks, takes in all that came, and asks again. The shell
 * answers a moment after something has happened, with all that has not been taken back by then, and
 * keeps what happens meanwhile.
 */
import { invoke } from "@tauri-apps/api/core";

import type { Envelope } from "./bindings";
import { asRefusal, type Refusal } from "./bridge";

/** How long it waits before it asks again: an agent's calls draw the page so often a second at most. */
export const PAUSE_MS = 50;
/** The same while nobody sees the page. */
export const HIDDEN_PAUSE_MS = 1_000;
/** How long after a failure it begins anew. */
export const AGAIN_MS = 1_000;

/** Hands on every event, the whole roster first. Returns what ends it. */
export function listen(handler: (envelope: Envelope) => void, failed: (refusal: Refusal) => void): () => void {
  let stopped = false;
  void follow(handler, failed, () => stopped);
  return () => {
    stopped = true;
  };
}

async function follow(
  handler: (envelope: Envelope) => void,
  failed: (refusal: Refusal) => void,
  isStopped: () => boolean,
): Promise<void> {
  let heard = false;
  do {
    try {
      const listening = await invoke<number>("subscribe");
      while (!isStopped()) {
        const batch = await invoke<Envelope[]>("next_events", { listening });
        // None at all: another page listens, or the program ends.
        if (isStopped() || batch.length === 0) return;
        heard = true;
        for (const envelope of batch) handler(envelope);
        await pause(document.visibilityState === "hidden" ? HIDDEN_PAUSE_MS : PAUSE_MS);
      }
    } catch (reason) {
      if (!heard && !isStopped()) failed(asRefusal(reason));
      if (!heard) return;
    }
    // What went astray with an answer is in the roster that comes first.
    heard = false;
    await pause(AGAIN_MS);
  } while (!isStopped());
}

/** Waits a while, but no longer than until the page is shown or hidden. */
function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    document.addEventListener("visibilitychange", end);
  });
}
