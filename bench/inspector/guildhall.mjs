/** Guild Hall's window: how it is opened in a browser, and how its form is filled. */

import { isObject, leavesOf, Num, writeExact } from "./exact.mjs";
import { connect } from "./door.mjs";
import { byFit, NoControl, optionFor, retype, STEP_MS } from "./form.mjs";

const START_MS = 30_000;
export const MEMBER = "torture";

/** What a row of the form offers, and the elements behind it. */
const OFFERS = {
  variants: "select[id$='-variant']",
  menu: "select:not([id$='-variant']):not([aria-label='Kind of key'])",
  search: "[role=combobox]",
  radios: "input[type=radio]",
  boxes: "input[type=checkbox]",
  json: "textarea[placeholder=JSON]",
  number: "input:is([inputmode=numeric], [inputmode=decimal])",
  text:
    "textarea:not([placeholder=JSON]), " +
    "input:is([type=text], [type=password]):not([inputmode=numeric], [inputmode=decimal], [role=combobox])",
};

/** In the page: the first elements of a row that belong to no row inside it. */
function ownElements({ pointer, selector, label }) {
  const row = [...document.querySelectorAll("[data-place]")].find((one) => one.dataset.place === pointer) ?? null;
  const around = row ?? (pointer === "" ? document.querySelector("[role=tabpanel]") : null);
  if (around === null) return null;
  const pattern = label === undefined ? null : new RegExp(label);
  return [...around.querySelectorAll(selector)].filter(
    (one) => one.closest("[data-place]") === row && (pattern === null || pattern.test(one.ariaLabel ?? "")),
  );
}

export class GuildHall {
  name = "Guild Hall";

  constructor({ version, browser, page, door }) {
    Object.assign(this, { version, browser, server: page, door });
  }

  async start() {
    await this.open();
  }

  async open() {
    await this.page?.close().catch(() => undefined);
    this.page = await this.browser.newPage({ viewport: { width: 1500, height: 2400 } });
    this.page.setDefaultTimeout(STEP_MS);
    await connect(this.page, this.door);
    await this.page.goto(this.server.address);
    const member = this.page.getByTestId(`member-${MEMBER}`);
    await member.getByText("ready").first().waitFor({ timeout: START_MS });
    await member.click();
    await this.page.locator(`[data-testid^=tool-${MEMBER}-]`).first().waitFor({ timeout: START_MS });
  }

  async stop() {
    await this.page?.close().catch(() => undefined);
    await this.door.close();
    this.server.close();
  }

  async show(tool) {
    const row = this.page.getByTestId(`tool-${MEMBER}-${tool}`);
    if ((await row.count()) === 0) return false;
    await row.click();
    await this.page.getByRole("article", { name: `${MEMBER} ${tool}` }).waitFor();
    await this.page.getByRole("tab", { name: "Form", exact: true }).click();
    await this.page.getByRole("button", { name: "Reset", exact: true }).click();
    return true;
  }

  /** Elements of a row itself; the newest first frame of it. */
  async own(pointer, selector, label) {
    const found = await this.page.evaluateHandle(ownElements, { pointer, selector, label });
    const elements = [];
    for (const [key, handle] of await found.getProperties()) {
      if (/^\d+$/.test(key)) elements.push(handle.asElement());
    }
    return elements;
  }

  async has(pointer) {
    return this.page.evaluate(
      (wanted) => [...document.querySelectorAll("[data-place]")].some((one) => one.dataset.place === wanted),
      pointer,
    );
  }

  async press(pointer, label) {
    const [button] = await this.own(pointer, "button", label);
    if (button === undefined) return false;
    await button.click();
    return true;
  }

  /** Sets a place to its empty value, where that is the one that is meant. */
  async pressEmpty(pointer, meant) {
    const [button] = await this.own(pointer, "button", "to empty$");
    if (button === undefined || (await button.textContent()) !== meant) return false;
    await button.click();
    return true;
  }

  async fill(value, schema) {
    this.schema = schema;
    this.json = 0;
    await this.place("", value);
    return { json: this.json };
  }

  async place(pointer, value) {
    const [closed] = pointer === "" ? [] : await this.own(pointer, "legend button[aria-expanded=false]");
    if (closed !== undefined) await closed.click();
    const [variants] = await this.own(pointer, OFFERS.variants);
    if (variants === undefined || value === null) {
      await this.single(pointer, value);
      return;
    }
    const options = await variants.evaluate((menu) => [...menu.options].map((one) => [one.value, one.label]));
    const real = options.filter(([chosen]) => chosen !== "");
    let why = new NoControl(`no variant at ${pointer} takes the value`);
    for (const index of byFit(real.map(([, label]) => label), value, this.schema)) {
      const json = this.json;
      const [menu] = await this.own(pointer, OFFERS.variants);
      await menu.selectOption(real[index][0]);
      try {
        await this.single(pointer, value);
        return;
      } catch (error) {
        if (!(error instanceof NoControl)) throw error;
        why = error;
        this.json = json;
      }
    }
    throw why;
  }

  async single(pointer, value) {
    if (value === null && (await this.press(pointer, "to null$"))) return;
    if (value === "" && (await this.pressEmpty(pointer, '""'))) return;
    if (await this.pick(pointer, value)) return;
    if (Array.isArray(value) && (await this.array(pointer, value))) return;
    if (isObject(value) && (await this.object(pointer, value))) return;
    const typed = value instanceof Num ? OFFERS.number : typeof value === "string" ? OFFERS.text : null;
    const [field] = typed === null ? [] : await this.own(pointer, typed);
    if (field !== undefined) {
      await this.type(pointer, field, value instanceof Num ? value.text : value);
      return;
    }
    const [json] = await this.own(pointer, OFFERS.json);
    if (json === undefined) throw new NoControl(`nothing at ${pointer} takes ${writeExact(value)}`);
    this.json += leavesOf(value);
    await json.click();
    await retype(this.page, writeExact(value));
  }

  /** A value out of some: by radio, fixed box, menu or search. False where none of them is there. */
  async pick(pointer, value) {
    const radios = await this.own(pointer, OFFERS.radios);
    if (radios.length > 0 && typeof value === "boolean") {
      await radios[value ? 0 : 1].click();
      return true;
    }
    if (Array.isArray(value) || isObject(value)) return false;
    const [menu] = await this.own(pointer, OFFERS.menu);
    if (menu !== undefined) {
      const options = await menu.evaluate((one) => [...one.options].map(({ label }) => label));
      await menu.selectOption({ index: optionFor(options, value, this.schema, pointer) });
      return true;
    }
    const [search] = await this.own(pointer, OFFERS.search);
    if (search !== undefined) {
      await search.click();
      await retype(this.page, value instanceof Num ? value.text : String(value));
      const option = this.page.getByRole("option", { name: String(value), exact: true });
      if ((await option.count()) > 0) await option.first().click();
      else await search.evaluate((one) => one.blur());
      return true;
    }
    const [fixed] = await this.own(pointer, OFFERS.boxes, ": ");
    if (fixed === undefined) return false;
    const label = await fixed.evaluate((box) => box.ariaLabel);
    optionFor([label.slice(label.indexOf(": ") + 2)], value, this.schema, pointer);
    if (!(await fixed.isChecked())) await fixed.click();
    return true;
  }

  async type(pointer, field, text) {
    await field.click();
    if (!text.includes("\n")) {
      await retype(this.page, text);
      return;
    }
    // Shift+Enter makes a single line several.
    await this.page.keyboard.press("Control+A");
    await this.page.keyboard.press("Delete");
    for (const [index, line] of text.split("\n").entries()) {
      if (index > 0) await this.page.keyboard.press("Shift+Enter");
      await this.page.keyboard.type(line);
    }
  }

  async array(pointer, items) {
    const boxes = await this.own(pointer, OFFERS.boxes);
    if (boxes.length > 0) {
      const labels = await Promise.all(boxes.map((box) => box.evaluate((one) => one.parentElement.textContent)));
      for (const item of items) {
        const box = boxes[optionFor(labels, item, this.schema, pointer)];
        if (await box.isChecked()) throw new NoControl(`${pointer} takes no option twice`);
        await box.click();
      }
      return true;
    }
    const adds = await this.own(pointer, "button", "^Add an item to");
    if (adds.length === 0) return false;
    if (items.length === 0) await this.pressEmpty(pointer, "[ ]");
    for (const [index, item] of items.entries()) {
      const inner = `${pointer}/${index}`;
      if (!(await this.has(inner)) && !(await this.press(pointer, "^Add an item to"))) {
        throw new NoControl(`no more items can be added at ${pointer}`);
      }
      await this.page.locator(`[data-place="${quoted(inner)}"]`).waitFor();
      await this.place(inner, item);
    }
    return true;
  }

  async object(pointer, value) {
    const keys = Object.keys(value);
    // The arguments are an object from the start.
    if (keys.length === 0 && pointer === "") return true;
    const isGroup =
      (await this.own(pointer, "[aria-label='Name of the new key'], [aria-label^='Add a key to']")).length > 0 ||
      (await this.hasRowsInside(pointer));
    if (keys.length === 0 && (await this.pressEmpty(pointer, "{ }"))) return true;
    if (!isGroup) return false;
    for (const key of keys) {
      const inner = `${pointer}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
      if (!(await this.has(inner))) await this.reveal(pointer, inner, key);
      await this.place(inner, value[key]);
    }
    return true;
  }

  async hasRowsInside(pointer) {
    return this.page.evaluate(
      (start) => [...document.querySelectorAll("[data-place]")].some((one) => one.dataset.place.startsWith(start)),
      `${pointer}/`,
    );
  }

  /** Shows the row of a key: by the filter of the fields, or as a key of its own. */
  async reveal(pointer, inner, key) {
    const [filter] = await this.own(pointer, "[aria-label='Filter optional fields']");
    if (filter !== undefined) {
      await filter.fill(key);
      if (await this.has(inner)) return;
      await filter.fill("");
    }
    await this.press(pointer, "^Add a key to");
    const [name] = await this.own(pointer, "[aria-label='Name of the new key']");
    if (name === undefined) throw new NoControl(`there is no field for ${inner}`);
    const [kinds] = await this.own(pointer, "[aria-label='Kind of key']");
    if (kinds !== undefined) {
      const patterns = await kinds.evaluate((menu) => [...menu.options].map(({ label }) => label));
      const fits = patterns.findIndex((pattern) => pattern === "any other key" || isMatch(pattern, key));
      if (fits < 0) throw new NoControl(`no kind of key at ${pointer} takes ${key}`);
      await kinds.selectOption({ index: fits });
    }
    await name.fill(key);
    await name.press("Enter");
    if (!(await this.has(inner))) throw new NoControl(`the key ${key} can't be added at ${pointer}`);
  }

  async touch(key, _schema, text) {
    const pointer = `/${key}`;
    const [field] = await this.own(pointer, `${OFFERS.number}, ${OFFERS.text}`);
    if (field === undefined) return false;
    await field.click();
    await retype(this.page, text);
    await retype(this.page, "");
    return true;
  }

  async fillJson(text) {
    await this.page.getByRole("tab", { name: "JSON", exact: true }).click();
    const editor = this.page.getByRole("textbox", { name: "Arguments as JSON" });
    await this.page.locator(".cm-content").waitFor();
    await editor.click();
    await retype(this.page, text);
  }

  async run() {
    // While a check or a call runs the button waits; it never says that the arguments are wrong.
    await this.page.locator("[data-testid=run]:not([aria-disabled=true])").click();
    return true;
  }

  /** Whether the window says that the arguments are refused. */
  async refused() {
    const told = this.page.getByRole("tabpanel").getByRole("alert");
    return (await told.count()) > 0;
  }
}

/** Whether a key is of a pattern; the patterns of the set are harmless ones. */
function isMatch(pattern, key) {
  try {
    return new RegExp(pattern).test(key);
  } catch {
    return false;
  }
}

function quoted(text) {
  return text.replaceAll("\\", "\\\\").replaceAll('"', '\\"');
}
