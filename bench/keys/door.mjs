/**
 * Guild Hall's window in a browser: the built page, and behind it the real engine.
 *
 * The page believes that it is in the desktop shell. What it asks of the shell goes to the engine
 * over a pipe (`tests/examples/door.rs`), so the arguments are checked, and sent, by the program's
 * own code; only the shell and its web view are not there.
 */

import { spawn } from "node:child_process";
import fs from "node:fs";
import http from "node:http";
import path from "node:path";
import readline from "node:readline";

const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml" };

/** Serves the built page on a free port, under the policy that the desktop program sets. */
export async function servePage(folder, policy) {
  const server = http.createServer((request, response) => {
    const { pathname } = new URL(request.url, "http://127.0.0.1");
    const file = path.join(folder, path.normalize(pathname === "/" ? "/index.html" : pathname));
    fs.readFile(file, (error, bytes) => {
      if (error !== null || !file.startsWith(folder)) {
        response.writeHead(404).end();
        return;
      }
      const type = TYPES[path.extname(file)] ?? "application/octet-stream";
      response.writeHead(200, { "Content-Type": type, "Content-Security-Policy": policy }).end(bytes);
    });
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { address: `http://127.0.0.1:${server.address().port}/`, close: () => server.close() };
}

/** The policy of the window as one header. */
export function policyOf(config) {
  return Object.entries(config.app.security.csp).map(([name, value]) => `${name} ${value}`).join("; ");
}

/** The engine behind its pipe. */
export class Door {
  #waiting = new Map();
  #listeners = new Set();
  #next = 1;

  constructor(program, members, data) {
    this.child = spawn(program, [members, data], { stdio: ["pipe", "pipe", "inherit"] });
    this.ended = new Promise((resolve) => this.child.once("exit", resolve));
    void this.ended.then(() => {
      for (const { fail } of this.#waiting.values()) fail(new Error("the engine has ended"));
    });
    readline.createInterface({ input: this.child.stdout }).on("line", (line) => this.#take(JSON.parse(line)));
  }

  #take(said) {
    if ("event" in said) {
      for (const listener of this.#listeners) listener(said.event);
      return;
    }
    this.#waiting.get(said.id)?.done(said);
    this.#waiting.delete(said.id);
  }

  /** `{ok}` or `{refused}`. */
  ask(command, request) {
    const id = this.#next;
    this.#next += 1;
    return new Promise((done, fail) => {
      this.#waiting.set(id, { done, fail });
      this.child.stdin.write(`${JSON.stringify({ id, command, request })}\n`);
    });
  }

  listen(listener) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Lets the engine end its members and itself. */
  async close() {
    this.child.stdin.end();
    const late = setTimeout(() => this.child.kill("SIGKILL"), 10_000);
    await this.ended;
    clearTimeout(late);
  }
}

/** In the page, before its scripts: the shell as far as the page can tell. */
function pretendShell() {
  const callbacks = new Map();
  let next = 1;
  let channel = 0;
  let index = 0;
  window.__TAURI_INTERNALS__ = {
    transformCallback(callback) {
      callbacks.set(next, callback);
      next += 1;
      return next - 1;
    },
    unregisterCallback: (id) => callbacks.delete(id),
    async invoke(command, { request, channel: events } = {}) {
      if (command === "subscribe") {
        channel = events.id;
        index = 0;
        await window.doorListen();
        return null;
      }
      if (command === "window_ready") return null;
      const answer = await window.doorAsk(command, request);
      if ("refused" in answer) throw answer.refused;
      return answer.ok;
    },
  };
  window.doorEvent = (message) => {
    callbacks.get(channel)?.({ index, message });
    index += 1;
  };
}

/** Puts the engine behind a page that is not opened yet. */
export async function connect(page, door) {
  await page.exposeFunction("doorAsk", (command, request) => door.ask(command, request));
  let forget = () => undefined;
  await page.exposeFunction("doorListen", async () => {
    forget();
    const tell = (event) => void page.evaluate((one) => window.doorEvent(one), event).catch(() => forget());
    const { ok: roster } = await door.ask("roster", {});
    tell({ revision: roster.revision, event: { kind: "roster", roster } });
    forget = door.listen(tell);
  });
  page.once("close", () => forget());
  await page.addInitScript(pretendShell);
}
