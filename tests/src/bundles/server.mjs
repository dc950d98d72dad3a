import { createInterface } from "node:readline";

const lines = createInterface({ input: process.stdin });
const answer = (id, result) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, result })}\n`);

lines.on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  if (method === "initialize") {
    answer(id, {
      protocolVersion: params.protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: "weather", version: process.env.VERSION },
    });
  } else if (method === "tools/list") {
    answer(id, { tools: [{ name: "started_with", description: "What it was started with", inputSchema: { type: "object" } }] });
  } else if (method === "tools/call") {
    const { WEATHER_KEY, VERSION, MINE } = process.env;
    const said = { args: process.argv.slice(2), cwd: process.cwd(), WEATHER_KEY, VERSION, MINE };
    answer(id, { content: [{ type: "text", text: JSON.stringify(said) }] });
  } else {
    answer(id, {});
  }
});
lines.on("close", () => process.exit(0));
