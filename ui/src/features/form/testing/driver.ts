/** A test driver that fills a form with a given value, using only its visible controls. */

import { fireEvent } from "@testing-library/react";

import { ANY_KINDS } from "../model/anything";
import { draftOf, sameValue } from "../model/draft";
import { extraNode, variantOf } from "../model/fit";
import type { ArrayNode, ChoiceNode, FormNode, ObjectNode, UnionNode } from "../model/node";
import { childPointer } from "../model/pointer";
import { textOf } from "./generate";

function must<T>(value: T | null | undefined, what: string): T {
  if (value === null || value === undefined) throw new Error(`There is no ${what}.`);
  return value;
}

/** All elements whose `aria-label` matches. A query by role would take seconds in a large form. */
function named(around: HTMLElement, name: RegExp): HTMLElement[] {
  return [...around.querySelectorAll<HTMLElement>("[aria-label]")].filter((one) => name.test(one.getAttribute("aria-label") ?? ""));
}

type Values = Record<string, unknown>;

export class Driver {
  /** The number of values that were typed as JSON text. */
  jsonTyped = 0;

  constructor(private readonly page: HTMLElement) {}

  /** The row of the value at a pointer; the whole page for the root. */
  private row(pointer: string): HTMLElement {
    if (pointer === "") return this.page;
    for (const row of this.page.querySelectorAll<HTMLElement>("[data-place]")) {
      if (row.dataset["place"] === pointer) return row;
    }
    throw new Error(`There is no row for ${pointer}.`);
  }

  private has(pointer: string): boolean {
    return [...this.page.querySelectorAll<HTMLElement>("[data-place]")].some((row) => row.dataset["place"] === pointer);
  }

  /** The matching buttons of a row, without those of nested rows. */
  private buttons(pointer: string, name: RegExp): HTMLElement[] {
    const row = this.row(pointer);
    return named(row, name).filter((one) => pointer === "" || one.closest("[data-place]") === row);
  }

  /** The first matching control of a row that is not in a nested row. */
  private control(pointer: string, selector: string): HTMLElement {
    const row = this.row(pointer);
    for (const found of row.querySelectorAll<HTMLElement>(selector)) {
      if (pointer === "" || found.closest("[data-place]") === row) return found;
    }
    throw new Error(`There is no ${selector} at ${pointer}.`);
  }

  /** Selects an item of a row's menu. Returns false if the menu does not have the item. */
  private select(pointer: string, item: RegExp): boolean {
    const [button] = this.buttons(pointer, pointer === "" ? /^More actions for the form$/ : /^Actions for /);
    if (button === undefined) return false;
    fireEvent.keyDown(button, { key: "Enter" });
    const found = [...document.querySelectorAll<HTMLElement>("[role=menuitem]")].find((one) => item.test(one.textContent));
    if (found === undefined) fireEvent.keyDown(must(document.querySelector("[role=menu]"), "menu"), { key: "Escape" });
    else fireEvent.click(found);
    return found !== undefined;
  }

  private selectFrom(pointer: string, item: RegExp): void {
    if (!this.select(pointer, item)) throw new Error(`There is no menu item ${item.source} at ${pointer}.`);
  }

  /** Selects the value with an index in a segmented control or a list. */
  private pick(control: HTMLElement, index: number): void {
    if (control.getAttribute("role") === "radiogroup") {
      // An optional field has the segment "Not set" before the values.
      const segments = [...control.querySelectorAll<HTMLElement>("[role=radio]")].filter((one, at) => at > 0 || one.textContent !== "Not set");
      fireEvent.click(must(segments[index], "segment"));
      return;
    }
    fireEvent.keyDown(control, { key: "Enter" });
    const options = [...document.querySelectorAll<HTMLElement>("[role=option]")].filter((one, at) => at > 0 || !/^Not set$|\(default\)$/.test(one.textContent));
    fireEvent.keyDown(must(options[index], "option"), { key: "Enter" });
  }

  private open(pointer: string): void {
    if (pointer === "") return;
    const toggle = this.row(pointer).querySelector<HTMLElement>(":scope > legend button[aria-expanded=false]");
    if (toggle !== null) fireEvent.click(toggle);
  }

  fill(node: FormNode, value: unknown, pointer = ""): void {
    if (value === null && node.nullable) {
      this.selectFrom(pointer, /^Send null$/);
      return;
    }
    switch (node.kind) {
      case "string":
        if (value === "") this.selectFrom(pointer, /^Send empty text$/);
        else this.type(pointer, value as string);
        return;
      case "number":
        this.type(pointer, textOf(value));
        return;
      case "boolean":
        this.pick(this.control(pointer, "[role=radiogroup]"), value === true ? 0 : 1);
        return;
      case "const": {
        const box = this.control(pointer, "input[type=checkbox]") as HTMLInputElement;
        if (!box.checked) fireEvent.click(box);
        return;
      }
      case "any":
        this.anything(value, pointer);
        return;
      case "choice":
        this.choose(node, value, pointer);
        return;
      case "object":
        this.object(node, value as Values, pointer);
        return;
      case "array":
        this.array(node, value as unknown[], pointer);
        return;
      case "union":
        this.union(node, value, pointer);
        return;
      case "never":
        throw new Error(`No value is allowed at ${pointer}.`);
    }
  }

  private type(pointer: string, text: string): void {
    // A single-line field drops line breaks, but becomes a text area if a text with line breaks is pasted.
    const field = this.control(pointer, "textarea, input:not([type=file])") as HTMLInputElement;
    if (text.includes("\n") && field.tagName === "INPUT") {
      if (field.value !== "") fireEvent.change(field, { target: { value: "" } });
      fireEvent.paste(field, { clipboardData: { getData: () => text } });
    } else {
      fireEvent.change(field, { target: { value: text } });
    }
  }

  private choose(node: ChoiceNode, value: unknown, pointer: string): void {
    const draft = draftOf(value);
    const index = node.options.findIndex((option) => sameValue(option.value, draft));
    const list = [...this.row(pointer).querySelectorAll<HTMLElement>("[role=radiogroup], button[role=combobox]:not([aria-label^='Variant of'])")][0];
    if (list !== undefined) {
      this.pick(list, index);
      return;
    }
    const search = this.control(pointer, "[role=combobox]");
    fireEvent.change(search, { target: { value: must(node.options[index], "option").label } });
    fireEvent.blur(search);
  }

  /** Fills a value without a schema: with the control of its kind if that is offered, otherwise as JSON. */
  private anything(value: unknown, pointer: string): void {
    const draft = draftOf(value);
    const kind = Math.max(0, ANY_KINDS.findIndex(({ node }) => (node.kind === "const" ? "null" : node.kind) === draft.kind));
    const inner = ANY_KINDS[kind]?.node;
    const [menu] = this.buttons(pointer, /^Kind of (?!key$)/);
    if (menu === undefined || kind === 0 || inner === undefined) {
      this.jsonTyped += 1;
      this.type(pointer, textOf(value));
      return;
    }
    this.pick(menu, kind);
    this.fill(inner, value, pointer);
  }

  private object(node: ObjectNode, value: Values, pointer: string): void {
    this.open(pointer);
    const keys = Object.keys(value);
    if (keys.length === 0 && pointer !== "") {
      // A required object is empty from the start instead of unset; its menu then lacks the item "Send empty object".
      this.select(pointer, /^Send empty object$/);
    }
    for (const key of keys) {
      const field = node.fields.find((one) => one.key === key);
      const place = childPointer(pointer, key);
      if (field !== undefined) {
        const closed = this.has(place) ? null : this.page.querySelector<HTMLElement>("h3 button[aria-expanded=false]");
        if (closed !== null) fireEvent.click(closed);
        if (!this.has(place)) {
          const [filter] = named(this.row(pointer), /^Filter optional fields$/);
          fireEvent.change(must(filter, "filter"), { target: { value: key } });
        }
        this.fill(field.node(), value[key], place);
        continue;
      }
      if (!this.has(place)) this.addKey(node, key, value[key], pointer);
      const inner = extraNode(node.extra, key, draftOf(value[key]));
      if (inner === null) throw new Error(`The key ${key} is not allowed at ${pointer}.`);
      this.fill(inner, value[key], place);
    }
  }

  private addKey(node: ObjectNode, key: string, value: unknown, pointer: string): void {
    const inner = extraNode(node.extra, key, draftOf(value));
    // The input for the new key comes after those of nested objects, so it is the last one.
    const around = pointer === "" ? null : this.row(pointer);
    const opener = named(this.row(pointer), /^Add a key to/).find((one) => one.closest("[data-place]") === around);
    if (opener !== undefined) fireEvent.click(opener);
    else if (named(this.row(pointer), /^Name of the new key$/).length === 0) this.selectFrom(pointer, /^Add another /);
    const box = must(named(this.row(pointer), /^Name of the new key$/).at(-1), "box for a key");
    const kind = named(this.row(pointer), /^Kind of key$/).at(-1);
    const pattern = node.extra?.patterns.findIndex((one) => one.node() === inner) ?? -1;
    if (kind !== undefined) this.pick(kind, pattern + (node.extra?.open === null ? 0 : 1));
    fireEvent.change(box, { target: { value: key } });
    fireEvent.keyDown(box, { key: "Enter" });
  }

  private array(node: ArrayNode, items: readonly unknown[], pointer: string): void {
    this.open(pointer);
    if (items.length === 0) {
      // A list that is itself an item is empty from the start; its menu then lacks the item "Send empty list".
      this.select(pointer, /^Send empty list$/);
      return;
    }
    const row = this.row(pointer);
    const boxes = named(row, /^Add item to/).length === 0;
    if (boxes) {
      const item = must(node.item, "item")() as ChoiceNode;
      for (const value of items) {
        const index = item.options.findIndex((one) => sameValue(one.value, draftOf(value)));
        const box = must(row.querySelectorAll<HTMLInputElement>("input[type=checkbox]")[index], "box to tick");
        const more = box.checked ? box.closest("label")?.parentElement?.querySelector("button:last-of-type") : undefined;
        fireEvent.click(more ?? box);
      }
      return;
    }
    for (const [index, value] of items.entries()) {
      const place = childPointer(pointer, index);
      if (!this.has(place)) {
        // The button of this list comes after those of nested lists, so it is the last one.
        fireEvent.click(must(named(this.row(pointer), /^Add item to/).at(-1), "button to add"));
      }
      this.fill(must(node.slots[index] ?? node.item, "item")(), value, place);
    }
  }

  private union(node: UnionNode, value: unknown, pointer: string): void {
    const variant = variantOf(node, draftOf(value));
    if (variant === null) throw new Error(`No variant fits at ${pointer}.`);
    this.pick(this.control(pointer, "[aria-label^='Variant of']"), variant);
    this.fill(must(node.variants[variant], "variant").node(), value, pointer);
  }
}
