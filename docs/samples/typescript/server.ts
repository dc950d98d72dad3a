// A member with two tools: one counts words, one takes its time and says how far it is.
import { setTimeout } from "node:timers/promises";

import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { z } from "zod";

const server = new McpServer({ name: "words-typescript", version: "1.0.0" });
const annotations = { readOnlyHint: true };

server.registerTool(
  "count_words",
  {
    description: "Counts the words and letters of a text.",
    inputSchema: { text: z.string().max(10_000).describe("What is counted") },
    // What is returned has a schema as well: it is checked, and shown as fields.
    outputSchema: { words: z.number().int(), letters: z.number().int() },
    annotations,
  },
  ({ text }) => {
    const words = text.split(/\s+/).filter(Boolean);
    if (words.length === 0) {
      // A result that the caller can read and act on, not a crash.
      return { content: [{ type: "text", text: "The text contains no words." }], isError: true };
    }
    const count = { words: words.length, letters: words.reduce((sum, word) => sum + [...word].length, 0) };
    return { content: [{ type: "text", text: JSON.stringify(count) }], structuredContent: count };
  },
);

server.registerTool(
  "count_down",
  {
    description: "Counts down to zero and reports each step.",
    inputSchema: {
      start: z.number().int().min(1).max(10).default(3).describe("Where it begins"),
      pause_ms: z.number().int().min(0).max(1_000).default(100).describe("The pause after each number"),
    },
    annotations,
  },
  async ({ start, pause_ms }, { _meta, sendNotification, signal }) => {
    const progressToken = _meta?.progressToken;
    for (let step = 1; step <= start; step += 1) {
      // Only a caller that gave a token gets progress.
      if (progressToken !== undefined) {
        const params = { progressToken, progress: step, total: start, message: `${start - step} to go` };
        await sendNotification({ method: "notifications/progress", params });
      }
      // A call that is cancelled ends here.
      await setTimeout(pause_ms, undefined, { signal });
    }
    return { content: [{ type: "text", text: `Counted down from ${start}.` }] };
  },
);

// stdout is the protocol's; output for people goes to stderr.
await server.connect(new StdioServerTransport());
