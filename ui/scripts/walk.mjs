// Presses Tab through all controls of each state in the catalog, in three window sizes: wide, narrow (480 pixels
// equal 1,440 pixels at 300 % zoom) and the smallest window at 300 % zoom. Checks that Tab reaches every control,
// that the focus is visible and not covered, that no control is cut off at the side, and that a page can fill the
// smallest window. Usage: node scripts/walk.mjs [NAME…]
import { openChromium } from "./chromium.mjs";
import { servePage } from "./page.mjs";

const ROOMS = [
  { width: 1_280, height: 720 },
  { width: 480, height: 720 },
  { width: 160, height: 120 },
];
/** The minimum share of the smallest window's height that a page must be able to fill. */
const PAGE_SHARE = 0.9;
/** The maximum number of Tab presses per state, more than any state needs. */
const STOPS_MAX = 250;

/** A script that returns the focused control, whether it is visible, and whether its focus is marked. */
const FOCUSED = `(async () => {
  // Focus handlers may move the focus once more.
  await new Promise((done) => requestAnimationFrame(done));
  const one = document.activeElement;
  if (!one || one === document.body) return null;
  window.walked ??= new Map();
  const again = window.walked.has(one);
  window.walked.set(one, true);
  const drawn = (element, pseudo) => {
    const style = getComputedStyle(element, pseudo);
    return style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0;
  };
  const { backgroundColor } = getComputedStyle(one, "::before");
  const coloured = one.getAttribute("role") === "separator" && backgroundColor !== "rgba(0, 0, 0, 0)";
  const inside = [...one.querySelectorAll('[data-active], [aria-selected="true"]')].some((row) => drawn(row));
  const field = one.closest(".cm-editor, [data-focus-frame]");
  // A control is free if it is at least partly in the window and no other element covers the visible part's middle.
  const { left, right, top, bottom } = one.getBoundingClientRect();
  const middle = (from, to, size) => (Math.max(0, from) + Math.min(size, to)) / 2;
  const at = document.elementFromPoint(middle(left, right, innerWidth), middle(top, bottom, innerHeight));
  const visible = right > 0 && bottom > 0 && left < innerWidth && top < innerHeight;
  const free = visible && at !== null && (one.contains(at) || at.contains(one));
  return { again, free, seen: drawn(one) || coloured || inside || (field !== null && drawn(field)), name: one.outerHTML.slice(0, 160) };
})()`;

/** A script that returns the page's share of the window's height after scrolling to it; null if a dialog is open. */
const ROOM = `(() => {
  const page = document.querySelector("main");
  if (!page || document.querySelector('[role="dialog"]')) return null;
  page.scrollIntoView({ block: "nearest" });
  const { top, bottom } = page.getBoundingClientRect();
  const notices = [...document.querySelectorAll("[data-notice]")].reduce((sum, one) => sum + one.offsetHeight, 0);
  return (Math.min(innerHeight, bottom) - Math.max(0, top)) / (innerHeight - notices);
})()`;

/** A script that returns the controls that Tab did not reach, and the controls that are cut off at the side. */
const LEFT = `(() => {
  const walked = window.walked ?? new Map();
  const modal = document.querySelector('[role="dialog"]');
  const roving = '[role="tablist"], [role="radiogroup"], [role="listbox"], [role="tree"], [role="grid"], [role="toolbar"]';
  const shown = (element) => element.checkVisibility() && element.getClientRects().length > 0;
  const within = (element) => !modal || modal.contains(element);
  const controls = [...document.querySelectorAll('a[href], button, input:not([type="hidden"]), select, textarea, summary, [tabindex="0"]')].filter((one) => shown(one) && within(one) && !one.matches(":disabled"));
  const unreached = controls.filter((one) => {
    if (walked.has(one)) return false;
    if (one.matches('input[type="radio"]')) return ![...document.getElementsByName(one.name)].some((other) => walked.has(other));
    const group = one.closest(roving);
    return !(group && [...walked.keys()].some((other) => group.contains(other)));
  });
  const scrolls = (element) => {
    for (let place = element.parentElement; place; place = place.parentElement) {
      if (["auto", "scroll"].includes(getComputedStyle(place).overflowX) && place.scrollWidth > place.clientWidth) return true;
    }
    return false;
  };
  const cut = controls.filter((one) => {
    const { left, right } = one.getBoundingClientRect();
    return (left < -1 || right > innerWidth + 1) && !scrolls(one) && !one.closest(".sr-only");
  });
  const name = (element) => element.outerHTML.slice(0, 160);
  return { unreached: unreached.map(name), cut: cut.map(name), wide: document.documentElement.scrollWidth > innerWidth };
})()`;

const names = process.argv.slice(2);
const page = await servePage();
const browser = await openChromium().catch((error) => {
  page.close();
  throw error;
});
const faults = [];
let stops = 0;
try {
  const { send, evaluate, until } = browser;
  const tab = async () => {
    for (const type of ["rawKeyDown", "keyUp"]) await send("Input.dispatchKeyEvent", { type, key: "Tab", code: "Tab", windowsVirtualKeyCode: 9 });
  };
  await send("Page.navigate", { url: page.address });
  await until("window.told !== undefined", "the page");
  const all = await evaluate("window.told.states");
  for (const { name } of names.length === 0 ? all : all.filter((state) => names.includes(state.name))) {
    for (const { width, height } of ROOMS) {
      await send("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: 1, mobile: false });
      await send("Page.navigate", { url: `${page.address}?state=${name}` });
      const there = await until("window.told?.isShown()", `the state ${name}`, 8_000).then(() => true, () => false);
      // In narrow windows the roster is hidden, so states of the roster show their text only in the wide window.
      if (!there && width === ROOMS[0].width) faults.push(`${name}: is not shown`);
      // Waits for content that the page loads late.
      await evaluate("new Promise((done) => setTimeout(done, 300))");
      // If the focus starts inside the page, Tab reaches the controls before it only after the end of the document.
      let ends = 0;
      for (let stop = 0; stop < STOPS_MAX && ends < 2; stop += 1) {
        await tab();
        const focused = await evaluate(FOCUSED);
        if (focused === null) {
          ends += 1;
          continue;
        }
        if (focused.again) break;
        stops += 1;
        if (!focused.free) faults.push(`${name} at ${width}: the focus is out of sight: ${focused.name}`);
        if (!focused.seen) faults.push(`${name} at ${width}: one does not see the focus on ${focused.name}`);
      }
      const room = width === ROOMS.at(-1).width ? await evaluate(ROOM) : null;
      if (room !== null && room < PAGE_SHARE) faults.push(`${name} at ${width}: the page has ${Math.round(room * 100)} % of the height`);
      const { unreached, cut, wide } = await evaluate(LEFT);
      for (const control of unreached) faults.push(`${name} at ${width}: Tab does not reach ${control}`);
      for (const control of cut) faults.push(`${name} at ${width}: is cut off: ${control}`);
      if (wide) faults.push(`${name} at ${width}: is wider than the window`);
    }
  }
} finally {
  await browser.close().finally(() => page.close());
}
for (const fault of faults) console.error(fault);
console.log(`${stops} stops, ${faults.length} faults`);
if (faults.length > 0) process.exit(1);
