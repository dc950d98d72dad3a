/**
 * Runs work on large results in slices, so that the window stays responsive. A task is a generator that yields
 * regularly. Its runner decides at each yield whether to pause.
 */

export type Steps<T> = Generator<undefined, T>;

/** The maximum time of one slice in milliseconds, which is half of a frame. */
const SLICE_MS = 8;

/** Runs a task to its end without pausing. Only for work that is known to be small. */
export function finish<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** Runs a task in slices. Resolves to `null` if the signal is aborted. */
export async function inSlices<T>(steps: Steps<T>, signal: AbortSignal): Promise<T | null> {
  while (!signal.aborted) {
    const until = performance.now() + SLICE_MS;
    do {
      const step = steps.next();
      if (step.done === true) return step.value;
    } while (performance.now() < until);
    await new Promise((resume) => setTimeout(resume, 0));
  }
  return null;
}
