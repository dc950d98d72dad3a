/**
 * Runs in the page: finds fields to type into, and measures the time from each key press to the frame that shows it.
 * The result is the object `window.keyTimes`.
 */
window.keyTimes = (() => {
  const TEXT = "input:is([type=text], [type=password]):not([inputmode=numeric], [inputmode=decimal], [role=combobox])";
  const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  const depth = (field) => field.closest("[data-place]").dataset.place.split("/").length;
  const PAINTED = "key-times: painted";
  /** The presses whose frame is not painted yet, oldest first. */
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
      // Without a usable timestamp of the event, the press counts from the time when the page handles it.
      const known = event.timeStamp > 0 && event.timeStamp <= seen && seen - event.timeStamp < 1_000;
      const pressed = known ? event.timeStamp : seen;
      const time = { work: 0, paint: 0 };
      // By then, the press has changed the field, and the page has updated its elements.
      const onInput = () => queueMicrotask(() => queueMicrotask(() => {
        time.work = performance.now() - pressed;
      }));
      window.addEventListener("input", onInput, { once: true });
      requestAnimationFrame(() => {
        framed.push({ time, pressed });
        // This message is handled after the frame was laid out and painted. A `MessageChannel` would be slower: WebKit
        // passes its messages through another process, and takes longer with each open channel.
        window.postMessage(PAINTED, "*");
      });
    },
    true,
  );

  return {
    /** Returns the number of painted presses. */
    count: () => times.length,
    /** Returns the times so far, and resets them. */
    take() {
      const taken = times;
      times = [];
      return taken;
    },
    /** Opens this many groups of the form. Returns the size of the form and the fields to type into. */
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
