/**
 * Receives the engine's events. The shell pushes rare events as Tauri events. The page pulls all others by long
 * polling: the shell answers a request as soon as it has an event, and the page then sends the next request.
 */
import { invoke } from "@tauri-apps/api/core";
import { listen as listenTo } from "@tauri-apps/api/event";

import { PUSHED_EVENTS, type Envelope } from "./bindings";
import { asRefusal, type Refusal } from "./bridge";

/** The pause before the next request, in milliseconds. It limits how often the page renders while agents make calls. */
export const PAUSE_MS = 50;
/** The pause before the next request while the page is hidden, in milliseconds. */
export const HIDDEN_PAUSE_MS = 1_000;
/** The pause after a failed request, in milliseconds. */
export const AGAIN_MS = 1_000;

/** Calls `handler` with every event, beginning with the full roster. Returns the function that unsubscribes. */
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
        // The batch is empty if another page has subscribed, or if the program is exiting.
        if (isStopped() || batch.length === 0) return;
        answered = true;
        for (const envelope of batch) handler(envelope);
        await pause(document.visibilityState === "hidden" ? HIDDEN_PAUSE_MS : PAUSE_MS);
      }
    } catch (reason) {
      if (!answered && !isStopped()) failed(asRefusal(reason));
      if (!answered) return;
    }
    // The new subscription begins with the full roster, which includes the changes of lost events.
    answered = false;
    await pause(AGAIN_MS);
  } while (!isStopped());
}

/** Waits for `ms` milliseconds, or until the page's visibility changes. */
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
