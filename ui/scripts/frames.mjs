// Measures scrolling through a list of 2,202 tools in Chromium. Usage: node scripts/frames.mjs
// Prints the median and the 95th percentile of the time between frames, and of the work per frame.
import { openChromium } from "./chromium.mjs";
import { servePage } from "./page.mjs";

const FRAMES = 300;
/** The maximum median time between frames in milliseconds: 60 frames per second, plus 1 ms for clock errors. */
const FRAME_MS = 1_000 / 60 + 1;

/** A script that scrolls a list back and forth by `step` pixels per frame, and returns the measured times. */
const SCROLL = (selector, step) => `(async () => {
  const list = document.querySelector(${JSON.stringify(selector)});
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  const times = [];
  const works = [];
  let before = await frame();
  let down = ${step};
  for (let count = 0; count < ${FRAMES}; count += 1) {
    const top = list.scrollTop;
    const began = performance.now();
    list.scrollTop = top + down;
    if (list.scrollTop === top) down = -down;
    // The scroll event and rendering happen in the frame. The message arrives after both.
    const now = await frame();
    times.push(now - before);
    before = now;
    await new Promise((done) => { const { port1, port2 } = new MessageChannel(); port1.onmessage = done; port2.postMessage(0); });
    works.push(performance.now() - now);
  }
  return { times, works, rows: list.querySelectorAll('[role="treeitem"], [role="option"]').length };
})()`;

const CASES = [
  { what: "roster, by the wheel", state: "many-tools", selector: "#roster-rows", step: 120 },
  { what: "roster, by the bar", state: "many-tools", selector: "#roster-rows", step: 4_000 },
  { what: "palette, by the wheel", state: "palette-many", selector: '[role="listbox"][data-viewport]', step: 120 },
  { what: "palette, by the bar", state: "palette-many", selector: '[role="listbox"][data-viewport]', step: 4_000 },
];

const at = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
const words = (values) => {
  const sorted = [...values].sort((a, b) => a - b);
  return { median: at(sorted, 0.5), high: at(sorted, 0.95) };
};

const page = await servePage();
const browser = await openChromium().catch((error) => {
  page.close();
  throw error;
});
let slow = 0;
try {
  const { send, evaluate, until } = browser;
  await send("Emulation.setDeviceMetricsOverride", { width: 1_280, height: 800, deviceScaleFactor: 1, mobile: false });
  console.log(`${"list".padEnd(24)} rows   frame median / 95 %      work median / 95 %`);
  for (const { what, state, selector, step } of CASES) {
    await send("Page.navigate", { url: `${page.address}?state=${state}` });
    await until("window.told?.isShown()", `the state ${state}`);
    const { times, works, rows } = await evaluate(SCROLL(selector, step));
    const [frame, work] = [words(times), words(works)];
    console.log(
      `${what.padEnd(24)} ${String(rows).padStart(4)}   ${frame.median.toFixed(1)} / ${frame.high.toFixed(1)} ms`.padEnd(56) +
        `${work.median.toFixed(1)} / ${work.high.toFixed(1)} ms`,
    );
    if (frame.median > FRAME_MS) slow += 1;
  }
} finally {
  await browser.close().finally(() => page.close());
}
if (slow > 0) {
  console.error(`${slow} of ${CASES.length} lists did not keep 60 frames a second at the median`);
  process.exit(1);
}
