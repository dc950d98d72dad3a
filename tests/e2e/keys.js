/**
 * Runs in the page: finds fields to type into, and takes the time from each key
 * press to the frame that shows it. `window.keyTimes` is what it leaves behind.
 */
window.keyTimes = (() => {
  const TEXT = "input:is([type=text], [type=password]):not([inputmode=numeric], [inputmode=decimal], [role=combobox])";
  const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  const depth = (field) => field.closest("[data-place]").dataset.place.split("/").length;
  const PAINTED = "key-times: painted";
  /** The presses whose frame is being drawn, oldest first. */
  const framed = [];
  let times = [];

  window.addEventListener("message", (event) => {
    if (event.source !== window || event.data !== PAINTED) return;
    const { time, pressed } = framed.shift();
    time.paint = performance.now() - pressed;
    times.push(time);
  });

  window.addEventListener(
    "keydown",
    (event) => {
      if (!event.isTrusted || event.key.length !== 1) return;
      const seen = performance.now();
      // A press without a separate clock counts from the moment when the page sees it.
      const known = event.timeStamp > 0 && event.timeStamp <= seen && seen - event.timeStamp < 1_000;
      const pressed = known ? event.timeStamp : seen;
      const time = { work: 0, paint: 0 };
      // By then the press has changed the field, and the page has drawn what follows from it.
      const onInput = () => queueMicrotask(() => queueMicrotask(() => {
        time.work = performance.now() - pressed;
      }));
      window.addEventListener("input", onInput, { once: true });
      requestAnimationFrame(() => {
        framed.push({ time, pressed });
        // Its turn comes once the frame has been laid out and painted. Not by a channel: WebKit hands
        // its messages to another process and back, and takes longer with each channel there is.
        window.postMessage(PAINTED, "*");
      });
    },
    true,
  );

  return {
    /** How many presses have been painted. */
    count: () => times.length,
    /** Returns the times so far, and resets them. */
    take() {
      const taken = times;
      times = [];
      return taken;
    },
    /** Opens so many groups of the form; answers with how large it is and which fields to type into. */
    async prepare(groups) {
      for (let opened = 0; opened < groups; opened += 1) {
        const closed = document.querySelector("[data-place] > legend button[aria-expanded=false]");
        if (closed === null) break;
        closed.click();
        await frame();
      }
      const fields = [...document.querySelectorAll("[data-place]")]
        .flatMap((row) => [...row.querySelectorAll(TEXT)].filter((one) => one.closest("[data-place]") === row))
        .filter((one) => one.getClientRects().length > 0);
      const deep = fields.reduce((found, one) => (depth(one) >= depth(found) ? one : found), fields[0]);
      const chosen = [fields[0], fields[Math.floor(fields.length / 2)], deep];
      return {
        fields: chosen.map((one) => ({ id: one.id, place: one.closest("[data-place]").dataset.place })),
        rows: document.querySelectorAll("[data-place]").length,
        elements: document.querySelectorAll("*").length,
      };
    },
  };
})();
