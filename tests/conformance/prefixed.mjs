// Lets the official suite run against the gateway's `/mcp`, where a member's name precedes the
// names of its tools and prompts. Node loads this file before the suite (`--import`). It puts a proxy
// between suite and gateway that adds the prefix to the names in requests and removes it from answers.
// Everything else passes unchanged, except for spaces around the values of headers.

import { once } from "node:events";
import http from "node:http";

const PREFIX = `${process.env.CONFORMANCE_MEMBER}__`;
const NAMED = ["tools/call", "prompts/get"];
const REFERENCE = "completion/complete";

const place = process.argv.indexOf("--url") + 1;
const gateway = new URL(process.argv[place]);
const proxy = http.createServer((request, answer) => {
  pass(request, answer).catch(() => answer.destroy());
});
proxy.listen(0, "127.0.0.1");
await once(proxy, "listening");
proxy.unref();
const own = `127.0.0.1:${proxy.address().port}`;
process.argv[place] = `http://${own}${gateway.pathname}`;

async function pass(request, answer) {
  const chunks = await request.toArray();
  const received = Buffer.concat(chunks);
  const headers = pairs(request.rawHeaders).map(([name, value]) => [
    name,
    value.replace(own, gateway.host),
  ]);
  const body = prefixed(received, headers);
  const sent = headers
    .filter(([name]) => !["content-length", "transfer-encoding"].includes(name.toLowerCase()))
    .flat();
  if (body.length > 0) {
    sent.push("Content-Length", String(body.length));
  }
  const { hostname, port } = gateway;
  const onward = http.request({
    hostname,
    port,
    path: request.url,
    method: request.method,
    headers: sent,
  });
  onward.on("response", (response) => withoutPrefix(response, answer));
  onward.on("error", () => answer.destroy());
  answer.on("close", () => onward.destroy());
  onward.end(body);
}

function pairs(flat) {
  return flat.flatMap((name, at) => (at % 2 === 0 ? [[name, flat[at + 1]]] : []));
}

function prefixed(body, headers) {
  let request;
  try {
    request = JSON.parse(body);
  } catch {
    return body;
  }
  const named = NAMED.includes(request?.method) ? request.params : undefined;
  const holder = request?.method === REFERENCE ? request.params?.ref : named;
  if (typeof holder?.name !== "string") {
    return body;
  }
  const name = PREFIX + holder.name;
  for (const header of headers) {
    // Changes the header only if it equals the name in the body: a scenario may send another one on purpose.
    if (header[0].toLowerCase() === "mcp-name" && header[1] === holder.name) {
      header[1] = name;
    }
  }
  holder.name = name;
  return Buffer.from(JSON.stringify(request));
}

function withoutPrefix(response, answer) {
  const headers = pairs(response.rawHeaders).filter(
    ([name]) => name.toLowerCase() !== "content-length",
  );
  answer.writeHead(response.statusCode, headers.flat());
  answer.flushHeaders();
  // A JSON string has no line break, so a line never ends inside a prefix.
  const shorten = (text) => text.replaceAll(`"${PREFIX}`, '"');
  let line = "";
  response.setEncoding("utf8");
  response.on("data", (text) => {
    const lines = (line + text).split("\n");
    line = lines.pop();
    lines.forEach((one) => answer.write(shorten(`${one}\n`)));
  });
  response.on("end", () => answer.end(shorten(line)));
  response.on("error", () => answer.destroy());
}
