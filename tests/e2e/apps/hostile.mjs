// A server whose app tries to leave its frame. `show` opens the app; `erase` is destructive, and `inner` is not for apps.
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";

const APP = "ui://hostile/app";
const html = readFileSync(new URL("hostile.html", import.meta.url), "utf8");
const inputSchema = { type: "object", properties: { address: { type: "string" } } };
const tools = [
  { name: "show", description: "Shows the app.", inputSchema, _meta: { ui: { resourceUri: APP } } },
  { name: "read", description: "Reads.", inputSchema },
  { name: "erase", description: "Erases.", inputSchema, annotations: { destructiveHint: true } },
  { name: "inner", description: "Is for models.", inputSchema, _meta: { ui: { visibility: ["model"] } } },
];

const lines = createInterface({ input: process.stdin });
const answer = (id, result) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, result })}\n`);

lines.on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  if (method === "initialize") {
    const capabilities = { tools: {}, resources: {} };
    answer(id, { protocolVersion: params.protocolVersion, capabilities, serverInfo: { name: "hostile", version: "1" } });
  } else if (method === "tools/list") {
    answer(id, { tools });
  } else if (method === "tools/call") {
    answer(id, { content: [{ type: "text", text: `did ${params.name}` }] });
  } else if (method === "resources/read") {
    answer(id, { contents: [{ uri: APP, mimeType: "text/html;profile=mcp-app", text: html }] });
  } else {
    answer(id, {});
  }
});
lines.on("close", () => process.exit(0));
