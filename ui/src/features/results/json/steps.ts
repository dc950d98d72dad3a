/**
 * Work on large results, done in slices so that the window stays responsive. A task is a generator that
 * yields regularly; its runner decides at each yield whether to pause.
 */

export type Steps<T> = Generator<undefined, T>;

/** Maximum time of one slice: half of a frame. */
const SLICE_MS = 8;

/** Does all of it at once; for work that is known to be small. */
export function finish<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** Does it in slices. Answers `null` when it was called off. */
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
