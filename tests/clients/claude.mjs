/** Claude Code, which asks the stand-in of `model.mjs` instead of a model. */

import assert from "node:assert/strict";
import { existsSync, writeFileSync } from "node:fs";
import path from "node:path";

import { check, isDescription, MEMBERS, run } from "./checks.mjs";
import { serveModel } from "./model.mjs";

const PREFIX = "mcp__guild__";

export async function claude({ modules, home, url }) {
  const held = [];
  const holds = async (what, work) => held.push(await check("Claude Code", what, work));
  const program = binary(modules);
  const calls = [
    { name: `${PREFIX}tools_describe`, input: { name: "desk__add" } },
    ...MEMBERS.map((member) => ({ name: `${PREFIX}${member}__add`, input: { a: 2, b: 3 } })),
  ];
  const model = await serveModel(calls);
  try {
    const config = path.join(home, "mcp.json");
    writeFileSync(config, JSON.stringify({ mcpServers: { guild: { type: "http", url } } }));
    await holds("runs to its end", async () => {
      const { code, stdout, stderr } = await run(
        program,
        [
          "--print",
          "--bare",
          "--strict-mcp-config",
          "--mcp-config",
          config,
          "--allowedTools",
          calls.map((call) => call.name).join(","),
          "--",
          "Add two and three.",
        ],
        { env: settings(home, model.url), cwd: home },
      );
      assert.equal(code, 0, `${stderr}\n${stdout}`);
      assert.equal(stdout.trim(), "Done.");
      assert.deepEqual(model.seen.errors, []);
    });
    await holds("lists", () => {
      const stub = model.seen.tools.find((tool) => tool.name === `${PREFIX}desk__add`);
      assert.ok(stub, `desk__add is missing in ${model.seen.tools.map((tool) => tool.name)}`);
      assert.equal(stub.description, "Adds two numbers");
    });
    await holds("describes", () => isDescription(textOf(model.seen.results[0])));
    for (const [number, member] of MEMBERS.entries()) {
      await holds(`calls ${member}`, () => assert.equal(textOf(model.seen.results[number + 1]), "5"));
    }
  } finally {
    await model.close();
  }
  return held;
}

/** The program; npm leaves it in a package for this very system. */
function binary(modules) {
  const libc = existsSync("/lib/ld-musl-x86_64.so.1") ? "-musl" : "";
  const name = `claude-code-${process.platform}-${process.arch}${libc}`;
  return path.join(modules, "node_modules/@anthropic-ai", name, "claude");
}

/** No account, no key, no other address: it asks the stand-in and nobody else. */
function settings(home, model) {
  return {
    HOME: home,
    ANTHROPIC_BASE_URL: model,
    ANTHROPIC_API_KEY: "no-key",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_AUTOUPDATER: "1",
    DISABLE_ERROR_REPORTING: "1",
    DISABLE_TELEMETRY: "1",
    // All tools are sent to the model at once.
    ENABLE_TOOL_SEARCH: "false",
    // Nothing but this machine may be asked.
    HTTPS_PROXY: "http://127.0.0.1:1",
    NO_PROXY: "127.0.0.1,localhost",
  };
}

function textOf(result) {
  assert.ok(result, "there was no such call");
  assert.notEqual(result.is_error, true, JSON.stringify(result));
  if (typeof result.content === "string") return result.content;
  return result.content.map((block) => block.text).join("");
}
