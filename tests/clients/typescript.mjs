/** The TypeScript SDK, in both eras. */

import assert from "node:assert/strict";
import { createRequire } from "node:module";
import path from "node:path";

import { check, isDescription, isList, MEMBERS, textOf } from "./checks.mjs";

/** Takes any result as it is. */
const ANYTHING = { "~standard": { version: 1, vendor: "guild-hall", validate: (value) => ({ value }) } };

export async function typescript({ modules, url }) {
  const require = createRequire(path.join(modules, "any.js"));
  const sdk = require("@modelcontextprotocol/client");
  const held = [];
  for (const [mode, version] of [
    ["legacy", "2025-11-25"],
    [{ pin: "2026-07-28" }, "2026-07-28"],
    ["auto", "2026-07-28"],
  ]) {
    const named = `TypeScript SDK (${typeof mode === "string" ? mode : "pinned"})`;
    const client = new sdk.Client(
      { name: "typescript-sdk", version: "1.0.0" },
      { capabilities: { elicitation: { form: {} } }, versionNegotiation: { mode } },
    );
    client.setRequestHandler("elicitation/create", (request) => {
      assert.equal(request.params.message, "Which colour?");
      return { action: "accept", content: { colour: "red" } };
    });
    const holds = async (what, work) => held.push(await check(named, what, work));
    await holds("connects", async () => {
      await client.connect(new sdk.StreamableHTTPClientTransport(new URL(url)));
      assert.equal(client.getNegotiatedProtocolVersion(), version);
    });
    await holds("lists", async () => isList((await client.listTools()).tools));
    await holds("describes by a tool", async () =>
      isDescription(textOf(await client.callTool({ name: "tools_describe", arguments: { name: "desk__add" } }))),
    );
    await holds("describes by the method", async () =>
      isDescription((await client.request({ method: "tools/describe", params: { name: "desk__add" } }, ANYTHING)).tool),
    );
    for (const member of MEMBERS) {
      await holds(`calls ${member}`, async () =>
        assert.equal(textOf(await client.callTool({ name: `${member}__add`, arguments: { a: 2, b: 3 } })), "5"),
      );
      await holds(`hears of ${member}'s progress`, async () => {
        const steps = [];
        const call = { name: `${member}__progress`, arguments: { steps: 3, ms: 20 } };
        await client.callTool(call, { onprogress: (step) => steps.push(step.progress) });
        assert.deepEqual(steps, [1, 2, 3]);
      });
      await holds(`answers a question of ${member}`, async () => {
        const result = await client.callTool({ name: `${member}__ask`, arguments: {} });
        assert.deepEqual(result.structuredContent.answers, [{ action: "accept", content: { colour: "red" } }]);
      });
      await holds(`is told of a failure of ${member}`, async () =>
        assert.equal((await client.callTool({ name: `${member}__fail`, arguments: {} })).isError, true),
      );
    }
    await holds("is shown the schema at a wrong argument", async () => {
      const result = await client.callTool({ name: "desk__add", arguments: { a: "two" } });
      assert.equal(result.isError, true);
      assert.match(JSON.stringify(result.content), /required/);
    });
    await holds("closes", () => client.close());
  }
  return held;
}
