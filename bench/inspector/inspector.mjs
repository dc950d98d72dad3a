/** MCP Inspector's web page: how it is started, and how its form is filled. */

import { spawn } from "node:child_process";
import fs from "node:fs";
import net from "node:net";
import path from "node:path";

import { isObject, leavesOf, Num, writeExact } from "./exact.mjs";
import { NoControl, optionFor, resolved, retype, STEP_MS } from "./form.mjs";

const START_MS = 30_000;

/** A port that was free a moment ago; the Inspector can't pick one by itself. */
function freePort() {
  return new Promise((resolve, reject) => {
    const server = net.createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

/** In the page: the fields of a part of the form, each with its label, kind and element. */
function readFields(stack) {
  const words = (element) => (element?.textContent ?? "").replace(/\s*\*$/, "").trim();
  const fields = [];
  for (const element of stack.children) {
    if (element.matches("input[type=hidden]") || element.querySelector("input[role=switch]") !== null) continue;
    const named = element.querySelector("label, p, .mantine-InputWrapper-label");
    if (named === null) continue;
    const name = words(named);
    const lists = [...element.querySelectorAll("button[aria-label^='Add item to ']")];
    let kind = "text";
    let target = element.querySelector("input:not([type=hidden]), textarea");
    if (element.firstElementChild?.tagName === "P") {
      kind = "object";
      target = element.lastElementChild.firstElementChild;
    } else if (lists.at(-1)?.getAttribute("aria-label") === `Add item to ${name}`) {
      kind = "array";
      target = element;
    } else if (target === null) {
      continue;
    } else if (target.matches("textarea.ace_text-input")) {
      kind = "json";
    } else if (target.matches("[aria-haspopup=listbox]")) {
      kind = element.querySelector("[data-multiline]") === null ? "menu" : "menus";
    } else if (target.matches("[type=checkbox]")) {
      kind = "box";
    } else if (target.matches("[inputmode]")) {
      kind = "number";
    }
    fields.push({ name, kind, target });
  }
  return fields;
}

/** Leaves a field, as a click elsewhere would. */
function leave(target) {
  return target.evaluate((field) => field.blur());
}

/** Whether a field stands for null already: a blank one is sent as null where that is its default. */
async function isBlankNull(target, value) {
  return value === null && (await target.inputValue()) === "";
}

export class Inspector {
  name = "MCP Inspector";

  constructor({ node, program, version, browser, home, member }) {
    Object.assign(this, { node, program, version, browser, home, member });
  }

  async start() {
    const config = path.join(this.home, "inspector.json");
    fs.writeFileSync(config, JSON.stringify({ mcpServers: { torture: this.member } }));
    const ports = await Promise.all([freePort(), freePort(), freePort()]);
    this.child = spawn(this.node, [this.program, "--web", "--config", config], {
      env: {
        PATH: process.env.PATH,
        HOME: this.home,
        CLIENT_PORT: String(ports[0]),
        MCP_SANDBOX_PORT: String(ports[1]),
        MCP_APP_ORIGIN_PORT: String(ports[2]),
        MCP_AUTO_OPEN_ENABLED: "false",
        MCP_INSPECTOR_SECRET_STORE: "memory",
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.address = await new Promise((resolve, reject) => {
      let said = "";
      const late = setTimeout(() => reject(new Error(`the Inspector did not start:\n${said}`)), START_MS);
      const read = (bytes) => {
        said += bytes;
        const found = /http:\/\/127\.0\.0\.1:\d+\/?\?MCP_INSPECTOR_API_TOKEN=\w+/.exec(said);
        if (found === null) return;
        clearTimeout(late);
        resolve(found[0]);
      };
      this.child.stdout.on("data", read);
      this.child.stderr.on("data", read);
    });
    await this.open();
  }

  /** A new page, connected, with the tools before it. */
  async open() {
    await this.page?.close().catch(() => undefined);
    this.page = await this.browser.newPage({ viewport: { width: 1500, height: 2400 } });
    this.page.setDefaultTimeout(STEP_MS);
    await this.page.goto(this.address, { timeout: START_MS });
    const connection = this.page.getByRole("switch", { name: /Connect or disconnect/ });
    await connection.waitFor({ timeout: START_MS });
    // The real switch lies hidden under what is drawn for it.
    await connection.click({ force: true });
    const tools = this.page.locator("header").getByText("Tools", { exact: true });
    await tools.click({ timeout: START_MS });
    await this.page.getByRole("heading", { name: /^Tools \(/ }).waitFor({ timeout: START_MS });
    const close = this.page.getByRole("button", { name: "Close monitoring sidebar" });
    if ((await close.count()) > 0) await close.click();
  }

  async stop() {
    await this.page?.close().catch(() => undefined);
    if (this.child === undefined || this.child.exitCode !== null) return;
    const ended = new Promise((resolve) => this.child.once("exit", resolve));
    this.child.kill("SIGTERM");
    const late = setTimeout(() => this.child.kill("SIGKILL"), 5_000);
    await ended;
    clearTimeout(late);
  }

  row(tool) {
    // A note on the schema's portability may follow the name.
    return this.page.getByRole("button", { name: new RegExp(`^${tool}( Schema portability.*)?$`) });
  }

  /** Shows a tool with a form that nobody has touched. False where it is not in the list. */
  async show(tool, other) {
    if ((await this.row(tool).count()) === 0) return false;
    // Going to another tool and back forgets what was typed.
    await this.row(other).first().click();
    await this.row(tool).first().click();
    await this.editAsJson(false);
    return true;
  }

  async editAsJson(wanted) {
    const json = this.page.getByRole("switch", { name: "Edit as JSON" });
    await json.waitFor({ state: "attached" });
    // It stays on from one tool to the next. The real switch lies hidden under its drawing.
    if ((await json.isChecked()) !== wanted) await json.click({ force: true });
  }

  async root() {
    const stack = await this.page.evaluateHandle(() => {
      const label = [...document.querySelectorAll("label")].find((one) => one.textContent === "Edit as JSON");
      return label?.querySelector("input[role=switch]")?.closest("div")?.parentElement?.parentElement ?? null;
    });
    return stack.asElement();
  }

  async fields(stack) {
    const read = await stack.evaluateHandle(readFields);
    const plain = await read.evaluate((all) => all.map(({ name, kind }) => ({ name, kind })));
    const targets = [];
    for (let index = 0; index < plain.length; index += 1) {
      targets.push((await read.evaluateHandle((all, at) => all[at].target, index)).asElement());
    }
    return plain.map((one, index) => ({ ...one, target: targets[index] }));
  }

  async fill(value, schema) {
    this.schema = schema;
    this.json = 0;
    if (!isObject(value)) throw new NoControl("the arguments are no object");
    await this.object(() => this.root(), value, schema);
    return { json: this.json };
  }

  async object(stackOf, value, schema) {
    const properties = resolved(schema, this.schema).properties ?? {};
    for (const key of Object.keys(value)) {
      const inner = Object.hasOwn(properties, key) ? resolved(properties[key], this.schema) : {};
      // Read anew for each key: filling one field may redraw the others.
      const fields = await this.fields(await stackOf());
      const found = (names) => fields.find((one) => names.includes(one.name));
      const field = found([key]) ?? found([inner.title, inner.anyOf?.[0]?.title]);
      if (field === undefined) throw new NoControl(`there is no field for ${key}`);
      const again = async () => {
        const anew = await this.fields(await stackOf());
        return anew.find((one) => one.name === field.name);
      };
      await this.field(field, value[key], inner, again);
    }
  }

  async field({ name, kind, target }, value, schema, again) {
    switch (kind) {
      case "json":
        this.json += leavesOf(value);
        await target.focus();
        await retype(this.page, writeExact(value));
        return;
      case "object":
        if (!isObject(value)) throw new NoControl(`${name} takes fields only`);
        await this.object(async () => (await again()).target, value, schema);
        return;
      case "array":
        await this.array(name, value, schema, again);
        return;
      case "menu": {
        await target.click({ force: true });
        const options = this.page.getByRole("option");
        const labels = await this.optionLabels(options);
        if (value === null && !labels.includes("null")) {
          // Blank may mean null, where that is the default.
          await this.page.keyboard.press("Escape");
          return;
        }
        const index = optionFor(labels, value, this.schema, name);
        await options.nth(index).click();
        return;
      }
      case "menus": {
        if (!Array.isArray(value)) throw new NoControl(`${name} takes a choice of options only`);
        for (const item of value) {
          const options = this.page.getByRole("option");
          // The list stays open from one choice to the next.
          if ((await options.count()) === 0) await (await again()).target.click({ force: true });
          await options.nth(optionFor(await this.optionLabels(options), item, this.schema, name)).click();
        }
        await this.page.keyboard.press("Escape");
        return;
      }
      case "box":
        if (typeof value !== "boolean") throw new NoControl(`${name} takes yes or no only`);
        await target.setChecked(true, { force: true });
        if (!value) await (await again()).target.setChecked(false, { force: true });
        return;
      case "number":
        if (await isBlankNull(target, value)) return;
        if (!(value instanceof Num)) throw new NoControl(`${name} takes numbers only`);
        await target.click();
        await retype(this.page, value.text);
        await leave(target);
        return;
      default:
        await this.text(name, target, value, again);
    }
  }

  async optionLabels(options) {
    await options.first().waitFor().catch(() => undefined);
    return options.allTextContents();
  }

  async text(name, target, value, again) {
    if (await isBlankNull(target, value)) return;
    if (typeof value !== "string") throw new NoControl(`${name} takes text only`);
    if (await target.evaluate((field) => field.readOnly)) {
      // A fixed value.
      if ((await target.inputValue()) === value) return;
      throw new NoControl(`${name} is fixed`);
    }
    if (value.includes("\n")) {
      await this.page.getByRole("button", { name: `Enlarge ${name}`, exact: true }).click();
      target = (await again()).target;
    }
    await target.click();
    await retype(this.page, value);
    await leave(target);
  }

  async array(name, value, schema, again) {
    if (!Array.isArray(value)) throw new NoControl(`${name} takes items only`);
    for (let index = 0; index < value.length; index += 1) {
      const add = await (await again()).target.evaluateHandle(
        (element, label) => [...element.querySelectorAll("button")].findLast((one) => one.ariaLabel === label),
        `Add item to ${name}`,
      );
      await add.asElement().click();
      const item = async () => {
        const { target } = await again();
        const stack = await target.evaluateHandle((element, at) => {
          const groups = [...element.querySelectorAll("[role=group]")].filter(
            (one) => one.parentElement.closest("[role=group]") === element.closest("[role=group]"),
          );
          return groups[at]?.firstElementChild?.lastElementChild ?? null;
        }, index);
        if (stack.asElement() === null) throw new NoControl(`${name} shows no item ${index}`);
        return stack.asElement();
      };
      if (!isObject(value[index])) throw new NoControl(`the items of ${name} have no field of their own`);
      await this.object(item, value[index], resolved(resolved(schema, this.schema).items, this.schema));
    }
  }

  /** Types into an optional field and takes it out again. */
  async touch(key, schema, text) {
    this.schema = schema;
    const fields = await this.fields(await this.root());
    const inner = resolved(schema.properties[key], schema);
    const field = fields.find((one) => one.name === key || one.name === inner.title);
    if (field === undefined || !["text", "number"].includes(field.kind)) return false;
    await field.target.click();
    await retype(this.page, text);
    await retype(this.page, "");
    await leave(field.target);
    return true;
  }

  async fillJson(text) {
    await this.editAsJson(true);
    const editor = this.page.getByRole("textbox", { name: /^Arguments JSON/ });
    await editor.focus();
    await retype(this.page, text);
  }

  /** Runs the tool. False where the button can't be pressed. */
  async run() {
    const button = this.page.getByRole("button", { name: "Execute Tool" });
    // What was typed last may still be on its way to the button.
    await this.page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 100))));
    if (await button.isDisabled()) return false;
    await button.click();
    return true;
  }

  /** Nothing that the page says ends the wait for a call sooner. */
  async refused() {
    return false;
  }
}

