/** Puts work off to the next frame, so that a burst of events paints once. */
export type Schedule = (work: () => void) => void;

/** A hidden window gets no frames; the work is then done after this many milliseconds. */
const HIDDEN_MS = 250;

export const nextFrame: Schedule = (work) => {
  let done = false;
  const once = () => {
    if (done) return;
    done = true;
    clearTimeout(timer);
    cancelAnimationFrame(frame);
    work();
  };
  const timer = setTimeout(once, HIDDEN_MS);
  const frame = requestAnimationFrame(once);
};
