/**
 * Real clients at a running gateway.
 *
 * `node run.mjs URL MODULES PYTHON GUILDHALL DATA` runs each client that `MODULES` has installed
 * against the gateway at URL. GUILDHALL is the program whose `export` configures the agents, and
 * DATA the data folder of the running gateway. Prints a line for each check; exit code 1 when one
 * fails.
 */

import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";

import { claude } from "./claude.mjs";
import { codex } from "./codex.mjs";
import { gemini } from "./gemini.mjs";
import { inspector } from "./inspector.mjs";
import { opencode } from "./opencode.mjs";
import { python } from "./python.mjs";
import { restart } from "./restart.mjs";
import { typescript } from "./typescript.mjs";

const [url, modules, interpreter, guildhall, data] = process.argv.slice(2);
if (data === undefined) {
  console.error("usage: node run.mjs URL MODULES PYTHON GUILDHALL DATA");
  process.exit(2);
}
const home = mkdtempSync(path.join(os.tmpdir(), "guild-clients-"));
try {
  const place = { url, modules, python: interpreter, guildhall, data, node: process.execPath, home };
  const held = [];
  for (const client of [typescript, restart, python, inspector, claude, codex, opencode, gemini]) {
    const start = performance.now();
    held.push(...(await client(place)));
    console.log(`        ${client.name}: ${((performance.now() - start) / 1000).toFixed(1)} s`);
  }
  const passed = held.filter(Boolean).length;
  console.log(`test result: ${passed} passed; ${held.length - passed} failed;`);
  process.exitCode = passed === held.length ? 0 : 1;
} finally {
  rmSync(home, { recursive: true, force: true, maxRetries: 5 });
}
