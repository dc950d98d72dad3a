/**
 * The hall's events as the page gets them. The shell pushes rare ones as Tauri events. The page pulls all others:
 * it asks, takes in the answer, and asks again. The shell answers as soon as there is an event.
 */
import { invoke } from "@tauri-apps/api/core";
import { listen as listenTo } from "@tauri-apps/api/event";

import { PUSHED_EVENTS, type Envelope } from "./bindings";
import { asRefusal, type Refusal } from "./bridge";

/** The pause before the next question: the calls of agents draw the page at most this often. */
export const PAUSE_MS = 50;
/** The same while the page is hidden. */
export const HIDDEN_PAUSE_MS = 1_000;
/** The pause after a failure. */
export const AGAIN_MS = 1_000;

/** Hands on every event, the whole roster first. Returns a function that ends it. */
export function listen(handler: (envelope: Envelope) => void, failed: (refusal: Refusal) => void): () => void {
  let stopped = false;
  const pushed = PUSHED_EVENTS.map((name) =>
    listenTo<Envelope[]>(name, ({ payload }) => {
      if (!stopped) payload.forEach(handler);
    }),
  );
  void follow(Promise.all(pushed), handler, failed, () => stopped);
  return () => {
    stopped = true;
    for (const listener of pushed) listener.then((end) => end()).catch(() => undefined);
  };
}

async function follow(
  ready: Promise<unknown>,
  handler: (envelope: Envelope) => void,
  failed: (refusal: Refusal) => void,
  isStopped: () => boolean,
): Promise<void> {
  let answered = false;
  do {
    try {
      await ready;
      const listening = await invoke<number>("subscribe");
      while (!isStopped()) {
        const batch = await invoke<Envelope[]>("next_events", { listening });
        // An empty batch: another page listens, or the program ends.
        if (isStopped() || batch.length === 0) return;
        answered = true;
        for (const envelope of batch) handler(envelope);
        await pause(document.visibilityState === "hidden" ? HIDDEN_PAUSE_MS : PAUSE_MS);
      }
    } catch (reason) {
      if (!answered && !isStopped()) failed(asRefusal(reason));
      if (!answered) return;
    }
    // The roster that comes first includes the events of a lost answer.
    answered = false;
    await pause(AGAIN_MS);
  } while (!isStopped());
}

/** Waits, but no longer than until the page is shown or hidden. */
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
