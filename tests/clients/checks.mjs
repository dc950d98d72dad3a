/** Checks that every client makes through the gateway, and their failure reports. */

import assert from "node:assert/strict";
import { spawn } from "node:child_process";

/** The members that the gateway serves, one for each transport and protocol era. */
export const MEMBERS = ["desk", "shop"];

const RUN_MS = 180_000;
const OUTPUT_MAX = 8 << 20;

/** Runs one check and prints its outcome. Returns whether the check passed. */
export async function check(client, what, work) {
  try {
    await work();
    console.log(`ok      ${client}: ${what}`);
    return true;
  } catch (error) {
    console.log(`FAILED  ${client}: ${what}\n${String(error?.stack ?? error).replace(/^/gm, "        ")}`);
    return false;
  }
}

/** Checks the list at `/mcp`: stubs of all members' tools, and the tools that describe them. */
export function isList(tools) {
  const names = tools.map((tool) => tool.name);
  for (const name of [...MEMBERS.map((member) => `${member}__add`), "tools_describe", "tools_describe_batch"]) {
    assert.ok(names.includes(name), `${name} is missing in ${names}`);
  }
  const stub = tools.find((tool) => tool.name === "desk__add");
  assert.equal(stub.description, "Adds two numbers");
  assert.deepEqual(stub.inputSchema, { type: "object" });
}

/** Checks the full description of a tool, as its member gives it. */
export function isDescription(described) {
  const tool = typeof described === "string" ? JSON.parse(described) : described;
  assert.equal(tool.name, "desk__add");
  assert.deepEqual(tool.inputSchema.required, ["a", "b"]);
  assert.deepEqual(Object.keys(tool.inputSchema.properties), ["b", "a"], "the order is the member's");
}

/** The text of a result that has exactly one content item. */
export function textOf(result) {
  assert.equal(result.content.length, 1);
  assert.equal(result.content[0].type, "text");
  return result.content[0].text;
}

/** The environment of a program: the given variables, and the variables of this process that the program needs. */
export function environment(own) {
  const mark = process.env.GUILD_XTASK === undefined ? {} : { GUILD_XTASK: process.env.GUILD_XTASK };
  return { PATH: process.env.PATH, ...mark, ...own };
}

/** Runs a program to its end, and returns its output. */
export function run(program, args, { env = {}, cwd, input } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd,
      env: environment(env),
      stdio: [input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
    });
    const late = setTimeout(() => {
      child.kill("SIGKILL");
      reject(new Error(`${program} ${args.join(" ")} took longer than ${RUN_MS / 1000} s\n${said.stderr}`));
    }, RUN_MS);
    const said = { stdout: "", stderr: "" };
    for (const name of ["stdout", "stderr"]) {
      child[name].setEncoding("utf8");
      child[name].on("data", (text) => {
        said[name] += text;
        if (said[name].length > OUTPUT_MAX) child.kill("SIGKILL");
      });
    }
    child.on("error", reject);
    child.on("close", (code) => {
      clearTimeout(late);
      resolve({ code, ...said });
    });
    child.stdin?.end(input);
  });
}
