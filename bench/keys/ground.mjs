/** Setup of this folder's commands: installs, builds and starts everything before a page opens. */

import { execFileSync } from "node:child_process";
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";

import { Door, policyOf, servePage } from "./door.mjs";
import { GuildHall, MEMBER } from "./guildhall.mjs";

const HERE = path.dirname(fileURLToPath(import.meta.url));
export const ROOT = path.resolve(HERE, "../..");
/** Where everything from npm goes. */
export const PLACE = path.join(ROOT, "target/keys");
const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";
const CHROMIUM_FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

function run(program, args, folder = ROOT) {
  execFileSync(program, args, { cwd: folder, stdio: ["ignore", "inherit", "inherit"] });
}

/** Installs what the lock file names, unless it is there. */
function install() {
  fs.mkdirSync(PLACE, { recursive: true });
  const lock = fs.readFileSync(path.join(HERE, "package-lock.json"));
  const held = path.join(PLACE, "package-lock.json");
  const complete = path.join(PLACE, "node_modules/.package-lock.json");
  if (fs.existsSync(complete) && fs.existsSync(held) && fs.readFileSync(held).equals(lock)) return;
  for (const name of ["package.json", "package-lock.json"]) {
    fs.copyFileSync(path.join(HERE, name), path.join(PLACE, name));
  }
  run("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], PLACE);
}

/** Installs and builds all that is needed; the page only where it is wanted. */
export function prepare({ keepPage }) {
  install();
  if (!keepPage) {
    if (!fs.existsSync(path.join(ROOT, "ui/node_modules"))) run("npm", ["--prefix", "ui", "ci", "--no-audit", "--no-fund"]);
    run("npm", ["--prefix", "ui", "run", "--silent", "build"]);
  }
  run("cargo", ["build", "--quiet", "--package", "guild-tests", "--bin", "fixture", "--example", "door"]);
}

/** Debian's Chromium without a window, with a new and empty profile. */
export function launch() {
  const require = createRequire(path.join(PLACE, "package.json"));
  return require("playwright-core").chromium.launch({ executablePath: CHROMIUM, args: CHROMIUM_FLAGS });
}

/** The server's command: what reaches its stdin goes to a file, byte for byte, on the way. */
function serverOf(tools, record) {
  const fixture = path.join(ROOT, "target/debug/fixture");
  const script = 'tee -a "$0" | exec "$1" --stdio --tools-json "$2" --max-life-ms 7200000';
  return { command: "/bin/sh", args: ["-c", script, record, fixture, tools] };
}

/** Guild Hall over one member that serves the tools of a file. */
export async function guildHall({ browser, home, tools, record }) {
  const members = path.join(home, "members");
  const data = path.join(home, "data");
  fs.mkdirSync(path.join(members, MEMBER), { recursive: true });
  fs.mkdirSync(data);
  const about = { name: MEMBER, version: "1.0.0", description: "Tools to fill in", transport: "stdio" };
  const manifest = { ...about, ...serverOf(tools, record) };
  fs.writeFileSync(path.join(members, MEMBER, "plugin.json"), JSON.stringify(manifest));
  const config = JSON.parse(fs.readFileSync(path.join(ROOT, "tauri.conf.json"), "utf8"));
  return new GuildHall({
    browser,
    page: await servePage(path.join(ROOT, "ui/dist"), policyOf(config)),
    door: new Door(path.join(ROOT, "target/debug/examples/door"), members, data),
  });
}
