// Controls a headless Chromium through a pipe, without a port and without additional packages.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const ANSWER_MS = 30_000;
const CLOSE_MS = 5_000;

/**
 * Starts Chromium and opens a page. The variable CHROMIUM sets the program; the default is `chromium`. The
 * returned `close` ends the browser and deletes its profile.
 */
export async function openChromium() {
  const profile = mkdtempSync(join(tmpdir(), "guild-hall-chromium-"));
  const browser = spawn(
    process.env.CHROMIUM ?? "chromium",
    [
      "--headless=new",
      "--remote-debugging-pipe",
      `--user-data-dir=${profile}`,
      "--no-first-run",
      "--no-sandbox",
      "--disable-gpu",
      "--disable-extensions",
      "--disable-background-networking",
      "--hide-scrollbars",
      "--font-render-hinting=none",
      "about:blank",
    ],
    // Starts a process group, so that `close` can end all processes of the browser together.
    { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"], detached: true },
  );
  const [, , , input, output] = browser.stdio;
  const asked = new Map();
  let count = 0;
  let text = "";
  const fail = (reason) => {
    for (const { reject, timer } of asked.values()) {
      clearTimeout(timer);
      reject(reason);
    }
    asked.clear();
  };
  browser.on("error", (error) => fail(new Error(`Chromium could not be started: ${error.message}`)));
  browser.on("exit", () => fail(new Error("Chromium has ended")));
  output.setEncoding("utf8");
  output.on("data", (part) => {
    text += part;
    const messages = text.split("\0");
    text = messages.pop() ?? "";
    for (const message of messages) {
      const { id, result, error } = JSON.parse(message);
      const question = asked.get(id);
      if (!question) continue;
      asked.delete(id);
      clearTimeout(question.timer);
      if (error) question.reject(new Error(`${question.method}: ${error.message}`));
      else question.resolve(result);
    }
  });

  function ask(method, params = {}, sessionId) {
    return new Promise((resolve, reject) => {
      const id = (count += 1);
      const timer = setTimeout(() => {
        asked.delete(id);
        reject(new Error(`${method}: no answer within ${ANSWER_MS / 1_000} s`));
      }, ANSWER_MS);
      asked.set(id, { resolve, reject, method, timer });
      input.write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    });
  }

  async function close() {
    const gone = new Promise((resolve) => browser.once("exit", resolve));
    if (browser.exitCode === null && browser.signalCode === null && browser.pid !== undefined) {
      const limit = new Promise((resolve) => setTimeout(resolve, CLOSE_MS).unref());
      await Promise.race([ask("Browser.close").then(() => gone, () => undefined), limit]);
      try {
        process.kill(-browser.pid, "SIGKILL");
      } catch {
        // All processes have already ended.
      }
    }
    fail(new Error("Chromium was closed"));
    rmSync(profile, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }

  try {
    const { targetId } = await ask("Target.createTarget", { url: "about:blank" });
    const { sessionId } = await ask("Target.attachToTarget", { targetId, flatten: true });
    const send = (method, params) => ask(method, params, sessionId);
    await send("Page.enable");

    /** Evaluates an expression in the page. Returns its value; waits for promises. */
    const evaluate = async (expression) => {
      const { result, exceptionDetails } = await send("Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true });
      if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
      return result.value;
    };
    /** Waits until an expression is truthy. `what` is its name in the timeout's error message. */
    const until = async (expression, what, limitMs = 15_000) => {
      const end = Date.now() + limitMs;
      while (!(await evaluate(expression).catch(() => false))) {
        if (Date.now() > end) throw new Error(`${what}: not within ${limitMs / 1_000} s`);
        await new Promise((resolve) => setTimeout(resolve, 30));
      }
    };
    return { send, evaluate, until, close };
  } catch (error) {
    await close();
    throw error;
  }
}
