/** The TypeScript SDK: 1.x, and 2.x with the protocol versions of both eras. */

import assert from "node:assert/strict";
import { createRequire } from "node:module";
import path from "node:path";

import { check, isDescription, isList, MEMBERS, textOf } from "./checks.mjs";

const NAME = { name: "typescript-sdk", version: "1.0.0" };
const CAPABILITIES = { elicitation: { form: {} } };

/** Accepts any result unchanged. */
const ANYTHING = { "~standard": { version: 1, vendor: "guild-hall", validate: (value) => ({ value }) } };

export async function typescript({ modules, url }) {
  const held = [];
  for (const { named, version, client, anything, answerQuestions, call, connect } of sdks(modules)) {
    const holds = async (what, work) => held.push(await check(`TypeScript SDK (${named})`, what, work));
    answerQuestions((request) => {
      assert.equal(request.params.message, "Which colour?");
      return { action: "accept", content: { colour: "red" } };
    });
    await holds("connects", async () => assert.equal(await connect(new URL(url)), version));
    await holds("lists", async () => isList((await client.listTools()).tools));
    await holds("describes by a tool", async () =>
      isDescription(textOf(await call({ name: "tools_describe", arguments: { name: "desk__add" } }))),
    );
    await holds("describes by the method", async () => {
      const request = { method: "tools/describe", params: { name: "desk__add" } };
      isDescription((await client.request(request, anything)).tool);
    });
    for (const member of MEMBERS) {
      await holds(`calls ${member}`, async () =>
        assert.equal(textOf(await call({ name: `${member}__add`, arguments: { a: 2, b: 3 } })), "5"),
      );
      await holds(`hears of ${member}'s progress`, async () => {
        const steps = [];
        const params = { name: `${member}__progress`, arguments: { steps: 3, ms: 20 } };
        await call(params, { onprogress: (step) => steps.push(step.progress) });
        assert.deepEqual(steps, [1, 2, 3]);
      });
      await holds(`answers a question of ${member}`, async () => {
        const result = await call({ name: `${member}__ask`, arguments: {} });
        assert.deepEqual(result.structuredContent.answers, [{ action: "accept", content: { colour: "red" } }]);
      });
      await holds(`is told of a failure of ${member}`, async () =>
        assert.equal((await call({ name: `${member}__fail`, arguments: {} })).isError, true),
      );
    }
    await holds("is shown the schema at a wrong argument", async () => {
      const result = await call({ name: "desk__add", arguments: { a: "two" } });
      assert.equal(result.isError, true);
      assert.match(JSON.stringify(result.content), /required/);
    });
    await holds("closes", () => client.close());
  }
  return held;
}

/** A new client of each SDK and mode, with the version of the protocol that it negotiates. */
export function sdks(modules) {
  const require = createRequire(path.join(modules, "any.js"));
  return [
    { named: "1.x", version: "2025-11-25", ...first(require) },
    { named: "legacy", version: "2025-11-25", ...second(require, "legacy") },
    { named: "pinned", version: "2026-07-28", ...second(require, { pin: "2026-07-28" }) },
    { named: "auto", version: "2026-07-28", ...second(require, "auto") },
  ];
}

/** The SDK 1.x, which many clients use. */
function first(require) {
  const { Client } = require("@modelcontextprotocol/sdk/client/index.js");
  const { StreamableHTTPClientTransport } = require("@modelcontextprotocol/sdk/client/streamableHttp.js");
  const { ElicitRequestSchema, ResultSchema } = require("@modelcontextprotocol/sdk/types.js");
  const client = new Client(NAME, { capabilities: CAPABILITIES });
  return {
    client,
    anything: ResultSchema,
    answerQuestions: (answer) => client.setRequestHandler(ElicitRequestSchema, answer),
    call: (params, options) => client.callTool(params, undefined, options),
    connect: async (url) => {
      const transport = new StreamableHTTPClientTransport(url);
      await client.connect(transport);
      return transport.protocolVersion;
    },
  };
}

/** The SDK 2.x in one of its modes. */
function second(require, mode) {
  const { Client, StreamableHTTPClientTransport } = require("@modelcontextprotocol/client");
  const client = new Client(NAME, { capabilities: CAPABILITIES, versionNegotiation: { mode } });
  return {
    client,
    anything: ANYTHING,
    answerQuestions: (answer) => client.setRequestHandler("elicitation/create", answer),
    call: (params, options) => client.callTool(params, options),
    connect: async (url) => {
      await client.connect(new StreamableHTTPClientTransport(url));
      return client.getNegotiatedProtocolVersion();
    },
  };
}
