#!/usr/bin/env node
/**
 * The time from a key press to its paint in the largest form of the corpus, in Chromium.
 *
 *   node bench/keys/chromium.mjs [--keep-page]
 *
 * The page is the built one, with the engine behind it (door.mjs). Prints one line of JSON: the times in
 * milliseconds, and how large the form was.
 */

import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";

import { guildHall, launch, prepare, ROOT } from "./ground.mjs";

/** So many presses in each field: the first, the one in the middle, the deepest. */
const PRESSES = 40;
/** How many groups are opened first: none, and more than anybody has open at once. */
const GROUPS = [0, 60];
/** Pauses of different lengths, so that presses meet all moments between two frames. */
const PAUSES_MS = [41, 67, 53, 79, 47, 71, 59];

const { values: options } = parseArgs({ options: { "keep-page": { type: "boolean", default: false } } });

/** The tool with the largest schema among those of real servers. */
function largest() {
  const servers = JSON.parse(fs.readFileSync(path.join(ROOT, "ui/testdata/real-schemas.json"), "utf8"));
  const tools = Object.values(servers).flatMap((server) => server.tools);
  const size = (tool) => JSON.stringify(tool.inputSchema).length;
  return tools.reduce((found, one) => (size(one) > size(found) ? one : found));
}

function quantile(times, part) {
  const sorted = [...times].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))];
}

function figures(times, kind) {
  const all = times.map((one) => one[kind]);
  return { median: Number(quantile(all, 0.5).toFixed(1)), p95: Number(quantile(all, 0.95).toFixed(1)) };
}

/** Presses keys in some fields of a page, and answers with the time of each. */
async function type(page, ids) {
  for (const id of ids) {
    await page.locator(`[id="${id}"]`).click();
    for (let press = 0; press < PRESSES; press += 1) {
      await page.keyboard.press("abcdefghij"[press % 10]);
      await page.waitForTimeout(PAUSES_MS[press % PAUSES_MS.length]);
    }
  }
  const times = await page.evaluate(() => window.keyTimes.take());
  if (times.length !== PRESSES * ids.length) throw new Error(`${times.length} presses were seen`);
  return times;
}

/** The same in a page that holds one field and nothing else: what the engine and the machine take. */
async function floor(browser, script) {
  const page = await browser.newPage();
  await page.setContent('<input id="plain" type="text">');
  await page.evaluate(script);
  return figures(await type(page, ["plain"]), "paint");
}

prepare({ keepPage: options["keep-page"] });
const tool = largest();
const home = fs.mkdtempSync(path.join(os.tmpdir(), "guild-hall-keys-"));
const tools = path.join(home, "tools.json");
fs.writeFileSync(tools, JSON.stringify([tool]));
const browser = await launch();
try {
  const hall = await guildHall({ browser, home, tools, record: path.join(home, "record.jsonl") });
  try {
    await hall.start();
    await hall.show(tool.name);
    const { page } = hall;
    const script = fs.readFileSync(path.join(ROOT, "bench/keys/page.js"), "utf8");
    await page.evaluate(script);
    const forms = [];
    for (const groups of GROUPS) {
      const { rows, elements, fields } = await page.evaluate((count) => window.keyTimes.prepare(count), groups);
      const times = await type(page, fields.map(({ id }) => id));
      const size = { groups, rows, elements, presses: times.length };
      forms.push({ ...size, paintMs: figures(times, "paint"), workMs: figures(times, "work") });
    }
    console.log(
      JSON.stringify({
        engine: `Chromium ${browser.version()}`,
        tool: tool.name,
        schemaBytes: JSON.stringify(tool.inputSchema).length,
        forms,
        emptyPageMs: await floor(browser, script),
      }),
    );
  } finally {
    await hall.stop();
  }
} finally {
  await browser.close();
  fs.rmSync(home, { recursive: true, force: true });
}
