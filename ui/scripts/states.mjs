// Takes screenshots of the states in the catalog, in the dark and the light theme. Usage:
// node scripts/states.mjs [--width PIXELS] [--zoom PERCENT] FOLDER [NAME…]
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";

import { openChromium } from "./chromium.mjs";
import { servePage } from "./page.mjs";
import { smallPng } from "./png.mjs";

const { values: asked, positionals } = parseArgs({
  options: { width: { type: "string" }, zoom: { type: "string" } },
  allowPositionals: true,
});
const [folder, ...names] = positionals;
if (folder === undefined) {
  console.error("usage: node scripts/states.mjs [--width PIXELS] [--zoom PERCENT] FOLDER [NAME…]");
  process.exit(2);
}

const WIDTH = 1_060;
const HEIGHT = 640;
/** The zoom factor. As in the app, a larger zoom leaves fewer CSS pixels for the page. */
const ZOOM = Number(asked.zoom ?? 100) / 100;
/** The maximum size of a screenshot, because the repository contains hundreds of them. */
const BYTES_MAX = 60 * 1024;

const page = await servePage();
const browser = await openChromium().catch((error) => {
  page.close();
  throw error;
});
try {
  const { send, evaluate, until } = browser;
  const open = async (query) => {
    await send("Page.navigate", { url: `${page.address}${query}` });
    await until("window.told !== undefined", "the page");
  };

  async function take({ name, width }, { scheme, contrast }) {
    const room = { width: Number(asked.width ?? width ?? WIDTH), height: HEIGHT };
    const [inner, tall] = [room.width, room.height].map((side) => Math.round(side / ZOOM));
    await send("Emulation.setDeviceMetricsOverride", { width: inner, height: tall, deviceScaleFactor: ZOOM, mobile: false });
    await send("Emulation.setEmulatedMedia", {
      features: [
        { name: "prefers-color-scheme", value: scheme },
        { name: "prefers-contrast", value: contrast ? "more" : "no-preference" },
        { name: "prefers-reduced-motion", value: "reduce" },
      ],
    });
    await open(`?state=${name}`);
    await until("window.told.isShown()", `the state ${name}`);
    await evaluate("document.fonts.ready.then(() => undefined)");
    // After two frames, the text that `isShown` has found is painted.
    await evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
    const { data } = await send("Page.captureScreenshot", { format: "png" });
    const picture = smallPng(Buffer.from(data, "base64"));
    const file = `${name}-${contrast ? "contrast-" : ""}${scheme}.png`;
    if (picture.length > BYTES_MAX) throw new Error(`${file} has ${picture.length} bytes, more than ${BYTES_MAX}`);
    writeFileSync(join(folder, file), picture);
    return picture.length;
  }

  await open("");
  const all = await evaluate("window.told.states");
  const chosen = names.length === 0 ? all : all.filter(({ name }) => names.includes(name));
  mkdirSync(folder, { recursive: true });
  if (names.length === 0) for (const file of readdirSync(folder)) if (file.endsWith(".png")) rmSync(join(folder, file));
  let pictures = 0;
  let bytes = 0;
  for (const state of chosen) {
    for (const scheme of ["dark", "light"]) {
      for (const contrast of state.contrast ? [false, true] : [false]) {
        bytes += await take(state, { scheme, contrast });
        pictures += 1;
      }
    }
  }
  console.log(`${pictures} pictures of ${chosen.length} states, ${(bytes / 1024 / 1024).toFixed(1)} MB`);
} finally {
  await browser.close().finally(() => page.close());
}
