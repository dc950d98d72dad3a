/**
 * A stand-in for the model that an agent asks. It requests the tool calls that the test gives it, one after the other,
 * and records the tools and results that it receives.
 */

import http from "node:http";

import { APIS } from "./apis.mjs";

const BODY_MAX = 16 << 20;

/** Serves the model's APIs on a free port of the loopback interface until it is closed. */
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
  const { pathname } = new URL(request.url, "http://model");
  const api = APIS.find((api) => api.path.test(pathname));
  if (request.method !== "POST" || api === undefined) {
    response.writeHead(request.method === "HEAD" ? 200 : 404).end();
    return;
  }
  const body = await json(request);
  const tools = api.tools(body);
  if (tools.length > 0) seen.tools = tools;
  const results = api.results(body);
  if (results.length > seen.results.length) seen.results = results;
  // Agents also ask for a title or a summary. These requests have no tools.
  const call = tools.length > 0 ? calls[results.length] : undefined;
  const { message, events } = api.reply(body, call, `call_${results.length}`);
  if (api.streams(body, pathname)) stream(response, events);
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

function send(response, message) {
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify(message));
}

/** Sends the events. The `event:` name is the `type` of the event's data, if it has one. */
function stream(response, events) {
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const event of events) {
    const name = event.type === undefined ? "" : `event: ${event.type}\n`;
    response.write(`${name}data: ${JSON.stringify(event)}\n\n`);
  }
  response.end();
}
