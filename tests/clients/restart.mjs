/** Sessions of the TypeScript SDK across a restart of the gateway. The SDK does not initialize a session again. */

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";

import { check, environment } from "./checks.mjs";
import { sdks } from "./typescript.mjs";

const START_MS = 60_000;

export async function restart({ modules, guildhall, home }) {
  const held = [];
  const folder = path.join(home, "restart");
  mkdirSync(path.join(folder, "members"), { recursive: true });
  let gateway = await serve(guildhall, folder, 0);
  const clients = sdks(modules).filter(({ version }) => version === "2025-11-25");
  const lists = async (client) => {
    const names = (await client.listTools()).tools.map((tool) => tool.name);
    assert.ok(names.includes("tools_describe"), `tools_describe is missing in ${names}`);
  };
  const holds = async (named, what, work) => held.push(await check(`TypeScript SDK (${named})`, what, work));
  try {
    for (const { named, client, connect } of clients) {
      await holds(named, "lists before a restart", async () => {
        await connect(new URL(gateway.url));
        await lists(client);
      });
    }
    await gateway.stop();
    gateway = await serve(guildhall, folder, new URL(gateway.url).port);
    for (const { named, client } of clients) {
      await holds(named, "lists after a restart", () => lists(client));
      await client.close();
    }
  } finally {
    await gateway.stop();
  }
  return held;
}

/** Starts a gateway without members. */
async function serve(guildhall, folder, port) {
  const members = ["--members", path.join(folder, "members"), "--data", path.join(folder, "data")];
  const child = spawn(guildhall, ["serve", "--no-token", "--gateway-port", String(port), ...members], {
    env: environment({ HOME: folder, GUILD_HALL_LOG: "error" }),
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise((resolve) => child.on("close", resolve).on("error", resolve));
  const late = setTimeout(() => child.kill("SIGKILL"), START_MS);
  const lines = createInterface({ input: child.stdout });
  const line = await Promise.race([new Promise((resolve) => lines.once("line", resolve)), ended]);
  clearTimeout(late);
  const url = typeof line === "string" ? JSON.parse(line).gateway : undefined;
  assert.ok(url, `guildhall serve names no gateway: ${line}`);
  const stop = async () => {
    child.kill("SIGTERM");
    const late = setTimeout(() => child.kill("SIGKILL"), START_MS);
    await ended;
    clearTimeout(late);
  };
  return { url, stop };
}
