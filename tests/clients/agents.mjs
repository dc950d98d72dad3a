/**
 * Agents at the gateway, configured by `guildhall clients connect`. Instead of a model, each agent asks the stand-in of
 * `model.mjs`. The checks read the requests that the stand-in received.
 */

import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import path from "node:path";

import { check, isDescription, MEMBERS, run } from "./checks.mjs";
import { serveModel } from "./model.mjs";

const NUMBERS = { a: 2, b: 3 };

/** The gateway's listing modes: an agent's calls in each, and the checks of its list. */
const LISTINGS = {
  lazy: {
    describe: { name: "tools_describe", input: { name: "desk__add" } },
    call: (name, input) => ({ name, input }),
    checkList(tools) {
      const stub = tools.get("desk__add");
      assert.ok(stub, `desk__add is missing in ${[...tools.keys()]}`);
      assert.equal(stub.description, "Adds two numbers");
    },
    described: (text) => text,
  },
  search: {
    describe: { name: "tools_describe_batch", input: { names: ["desk__add"] } },
    call: (name, input) => ({ name: "tools_call_write", input: { name, arguments: input } }),
    checkList(tools) {
      assert.ok(tools.has("tools_search"), `tools_search is missing in ${[...tools.keys()]}`);
      assert.ok(!tools.has("desk__add"));
    },
    described: (text) => JSON.parse(text).tools[0],
  },
};

/**
 * Runs one agent and its checks.
 *
 * - `named`: the agent's name in the output
 * - `client`: the agent's name for `guildhall clients connect`
 * - `prefix`: the text that the agent puts before a tool's name for its model
 * - `listing`: the gateway's listing mode for the agent, by default `lazy`
 * - `result`: removes the text that the agent adds to a result
 * - `command`: the program, its arguments and its environment
 */
export async function checkAgent(place, { named, client, prefix, listing = "lazy", result, command }) {
  const { describe, call, checkList, described } = LISTINGS[listing];
  const calls = [describe, ...MEMBERS.map((member) => call(`${member}__add`, NUMBERS))];
  const home = path.join(place.home, client);
  const [cwd, temporary] = ["work", "tmp"].map((name) => path.join(home, name));
  for (const folder of [cwd, temporary]) mkdirSync(folder, { recursive: true });
  const held = [];
  const holds = async (what, work) => held.push(await check(named, what, work));
  const model = await serveModel(calls.map((call) => ({ ...call, name: `${prefix}${call.name}` })));
  const received = (number) => {
    const text = model.seen.results[number];
    assert.notEqual(text, undefined, "there was no such call");
    return result === undefined ? text : result(text);
  };
  try {
    const { program, args, env } = command({ ...place, home, model: model.url });
    const changed = async (action, ...options) => {
      const words = ["--data", place.data, "--json", "clients", action, client, ...options, "--yes"];
      const { code, stdout, stderr } = await run(place.guildhall, words, { env: { HOME: home }, cwd });
      assert.equal(code, 0, stderr);
      const file = [JSON.parse(stdout)].flat()[0].path;
      return existsSync(file) ? readFileSync(file, "utf8") : "";
    };
    await holds("is configured by connect", async () => {
      const file = await changed("connect", "--write");
      assert.ok(file.includes(place.url), file);
    });
    await holds("runs to its end", async () => {
      const settings = { HOME: home, TMPDIR: temporary, ...OFFLINE, ...env };
      const { code, stdout, stderr } = await run(program, args, { env: settings, cwd });
      assert.equal(code, 0, `${stderr}\n${stdout}`);
      assert.match(stdout, /^Done\.$/m);
      assert.deepEqual(model.seen.errors, []);
    });
    await holds("lists", () => {
      const own = model.seen.tools.filter(({ name }) => name?.startsWith(prefix));
      checkList(new Map(own.map((tool) => [tool.name.slice(prefix.length), tool])));
    });
    await holds("describes", () => isDescription(described(received(0))));
    for (const [number, member] of MEMBERS.entries()) {
      await holds(`calls ${member}`, () => assert.equal(received(number + 1), "5"));
    }
    // Some agents have changed their configuration file by now.
    await holds("loses the entry by undo", async () => {
      const file = await changed("undo");
      assert.ok(!file.includes("guild-hall"), file);
    });
  } finally {
    await model.close();
  }
  return held;
}

/** A proxy that refuses every address except those of the loopback interface. */
const OFFLINE = {
  HTTP_PROXY: "http://127.0.0.1:1",
  HTTPS_PROXY: "http://127.0.0.1:1",
  NO_PROXY: "127.0.0.1,localhost",
};
