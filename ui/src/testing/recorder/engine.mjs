/** Runs `guildhall serve` in a temporary home folder, and sends requests through its control socket. */
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createConnection } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { env } from "node:process";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath, URL } from "node:url";

const PROGRAMS = env.GUILD_HALL_PROGRAMS ?? fileURLToPath(new URL("../../../../target/debug", import.meta.url));
const FIXTURE = join(PROGRAMS, "fixture");
const START_MS = 20_000;
const LOOK_AGAIN_MS = 50;

/** The environment variables of the engine. The set is fixed, so recordings do not depend on the user's session. */
const SESSION = { PATH: "/usr/bin:/bin", LANG: "C.UTF-8", DBUS_SESSION_BUS_ADDRESS: "unix:path=/nowhere" };

export class Engine {
  home;
  #program;
  #socket;
  #waiting = new Map();
  #count = 0;
  #ended = null;

  /**
   * Starts an engine. `files` are texts by path in the home folder, `members` are manifests by member name, and
   * `tools` are tool lists by member name.
   */
  static async start({ files = {}, members, tools = {} }) {
    const engine = new Engine();
    engine.home = mkdtempSync(join(tmpdir(), "guild-record-"));
    for (const [path, text] of Object.entries(files)) engine.write(path, text);
    for (const [name, list] of Object.entries(tools)) engine.write(`${MEMBERS}/${name}/tools.json`, JSON.stringify(list));
    for (const [name, manifest] of Object.entries(members)) {
      const text = typeof manifest === "string" ? manifest : JSON.stringify({ name, version: "1.0.0", transport: "stdio", command: FIXTURE, ...manifest }, null, 2);
      engine.write(`${MEMBERS}/${name}/plugin.json`, text);
    }
    try {
      await engine.#open();
    } catch (error) {
      await engine.close();
      throw error;
    }
    return engine;
  }

  write(path, content) {
    const file = join(this.home, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }

  async #open() {
    const folder = (path) => join(this.home, path);
    const words = ["serve", "--data", folder(DATA), "--members", folder(MEMBERS), "--gateway-port", "0", "--no-token"];
    this.#program = spawn(join(PROGRAMS, "guildhall"), words, { stdio: ["pipe", "ignore", "ignore"], env: { ...SESSION, HOME: this.home } });
    const place = folder(`${DATA}/hall.sock`);
    await this.until(() => {
      if (this.#program.exitCode !== null) throw new Error("guildhall serve did not start.");
      return existsSync(place);
    });
    this.#socket = createConnection(place);
    this.#socket.on("error", (error) => this.#end(error));
    this.#socket.on("close", () => this.#end(new Error("guildhall serve closed the connection.")));
    createInterface({ input: this.#socket }).on("line", (line) => {
      const { id, what } = JSON.parse(line);
      const waiting = this.#waiting.get(id);
      if ("answer" in what) waiting?.resolve(what.answer);
      else if ("refusal" in what) waiting?.reject(what.refusal);
    });
  }

  #end(error) {
    this.#ended ??= error;
    for (const { reject } of this.#waiting.values()) reject(this.#ended);
    this.#waiting.clear();
  }

  ask(command, request) {
    if (this.#ended !== null) return Promise.reject(this.#ended);
    this.#count += 1;
    const id = this.#count;
    this.#socket.write(`${JSON.stringify({ id, command, request })}\n`);
    return new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
  }

  /** Waits until `holds` returns a truthy value. */
  async until(holds) {
    const end = Date.now() + START_MS;
    while (!(await holds())) {
      if (Date.now() > end) throw new Error(`The engine did not get there: ${holds}`);
      await sleep(LOOK_AGAIN_MS);
    }
  }

  async close() {
    this.#socket?.destroy();
    if (this.#program.exitCode === null) {
      const ended = new Promise((resolve) => this.#program.once("exit", resolve));
      this.#program.kill("SIGTERM");
      await ended;
    }
    rmSync(this.home, { recursive: true, force: true });
  }
}

export const DATA = ".local/share/guild-hall";
export const MEMBERS = `${DATA}/guild-members`;
export { PROGRAMS };
