/** MCP Inspector's command line. */

import assert from "node:assert/strict";
import path from "node:path";

import { check, isDescription, isList, MEMBERS, run, textOf } from "./checks.mjs";

export async function inspector({ modules, node, home, url }) {
  const program = path.join(modules, "node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js");
  const held = [];
  const holds = async (what, work) => held.push(await check("MCP Inspector", what, work));
  const ask = async (method, ...args) => {
    const words = [program, "--cli", url, "--transport", "http", "--method", method, ...args];
    const { code, stdout, stderr } = await run(node, words, { env: { HOME: home }, cwd: home });
    assert.equal(code, 0, stderr || stdout);
    return JSON.parse(stdout);
  };
  const call = (name, ...args) => ask("tools/call", "--tool-name", name, ...args.flatMap((arg) => ["--tool-arg", arg]));
  await holds("lists", async () => isList((await ask("tools/list")).tools));
  await holds("describes", async () => isDescription(textOf(await call("tools_describe", "name=desk__add"))));
  for (const member of MEMBERS) {
    await holds(`calls ${member}`, async () => assert.equal(textOf(await call(`${member}__add`, "a=2", "b=3")), "5"));
  }
  await holds("verifies skills", async () => {
    const words = [program, "--cli", url, "--transport", "http", "--method", "skills/list", "--verify"];
    const { code, stdout, stderr } = await run(node, words, { env: { HOME: home }, cwd: home });
    const skills = stdout.split("\n").filter((line) => line.startsWith('{"uri"')).map((line) => JSON.parse(line));
    const outcomes = skills.map(({ uri, outcome }) => `${uri} ${outcome}`);
    const expected = MEMBERS.flatMap((member) => [
      `skill://member=${member}/acme/refunds/SKILL.md verified`,
      `skill://member=${member}/daily/SKILL.md unverifiable`,
    ]);
    assert.deepEqual(outcomes, expected, stderr || stdout);
    assert.equal(code, 0, stderr);
  });
  return held;
}
