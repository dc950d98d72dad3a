/**
 * A stand-in for the model that Claude Code asks: it asks for one tool call after the other, and
 * keeps what it was sent. It is no model; the calls are written here.
 */

import http from "node:http";

const BODY_MAX = 16 << 20;

/** Serves on a free port of this machine until it is closed. */
export async function serveModel(calls) {
  const seen = { tools: [], results: [], errors: [] };
  const server = http.createServer(async (request, response) => {
    try {
      await answer(request, response, calls, seen);
    } catch (error) {
      seen.errors.push(String(error));
      response.writeHead(500).end();
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    seen,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

async function answer(request, response, calls, seen) {
  const asked = new URL(request.url, "http://model");
  if (request.method !== "POST" || !asked.pathname.startsWith("/v1/messages")) {
    response.writeHead(request.method === "HEAD" ? 200 : 404).end();
    return;
  }
  const body = await json(request);
  if (asked.pathname.endsWith("/count_tokens")) {
    send(response, { input_tokens: 1 });
    return;
  }
  const tools = (body.tools ?? []).map((tool) => tool.name);
  if (tools.length > 0) seen.tools = body.tools;
  const results = body.messages
    .flatMap((message) => (Array.isArray(message.content) ? message.content : []))
    .filter((block) => block.type === "tool_result");
  if (results.length > seen.results.length) seen.results = results;
  // Whatever else it wants to know (a title, a summary) comes without tools.
  const next = tools.length > 0 ? calls[results.length] : undefined;
  const block =
    next === undefined
      ? { type: "text", text: "Done." }
      : { type: "tool_use", id: `call_${results.length}`, name: next.name, input: next.input };
  const message = {
    id: "msg_stand_in",
    type: "message",
    role: "assistant",
    model: body.model,
    content: [block],
    stop_reason: next === undefined ? "end_turn" : "tool_use",
    stop_sequence: null,
    usage: { input_tokens: 1, output_tokens: 1 },
  };
  if (body.stream === true) stream(response, message);
  else send(response, message);
}

async function json(request) {
  const chunks = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > BODY_MAX) throw new Error("the request is too large");
    chunks.push(chunk);
  }
  return JSON.parse(Buffer.concat(chunks).toString("utf8"));
}

function send(response, body) {
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}

/** The message as a stream of events. */
function stream(response, message) {
  const [block] = message.content;
  const isText = block.type === "text";
  const begun = isText ? { ...block, text: "" } : { ...block, input: {} };
  const delta = isText
    ? { type: "text_delta", text: block.text }
    : { type: "input_json_delta", partial_json: JSON.stringify(block.input) };
  const events = [
    { type: "message_start", message: { ...message, content: [], stop_reason: null } },
    { type: "content_block_start", index: 0, content_block: begun },
    { type: "content_block_delta", index: 0, delta },
    { type: "content_block_stop", index: 0 },
    {
      type: "message_delta",
      delta: { stop_reason: message.stop_reason, stop_sequence: null },
      usage: { output_tokens: 1 },
    },
    { type: "message_stop" },
  ];
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const event of events) response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  response.end();
}
