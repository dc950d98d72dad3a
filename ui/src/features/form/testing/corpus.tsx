/**
 * Tests the form with the schemas of all tools: renders each form, fills it from empty, sends it, and expects
 * errors for invalid values. Observations are recorded, and each failure becomes a line of the result.
 */

import { fireEvent } from "@testing-library/react";
import { inject, vi } from "vitest";

import { record } from "../../../../scripts/formRecords.mjs";
import { normalize } from "../model/normalize";
import { Driver } from "./driver";
import { canonical, generate, textOf, valueOf } from "./generate";
import { showForm, sizeOf } from "./harness";
import { type Broken, brokenFrom } from "./invalid";
import { HARD_CASES, REAL_TOOLS } from "./schemas";
import { secondOpinion } from "./validate";

declare module "vitest" {
  interface ProvidedContext {
    records: string;
  }
}

const ELEMENTS_MAX = 3_000;
/** Maximum attempts to generate a value that Ajv accepts. */
const TRIES_MAX = 60;

interface Tool {
  readonly set: "real" | "hard";
  readonly server: string;
  readonly tool: string;
  readonly schema: unknown;
  /** Values for this schema that were written by hand, as JSON text. */
  readonly given: readonly string[];
}

export const TOOLS: readonly Tool[] = [
  ...REAL_TOOLS.map(({ server, name, inputSchema }): Tool => ({ set: "real", server, tool: name, schema: inputSchema, given: [] })),
  ...HARD_CASES.map(
    ({ name, schema, valid }): Tool => ({ set: "hard", server: "hard", tool: name, schema, given: valid.map((one) => JSON.stringify(one)) }),
  ),
];

/** The tools of part `number` if all tools are split into `of` parts. `number` counts from 1. */
export function part(number: number, of: number): readonly Tool[] {
  return TOOLS.filter((_, index) => index % of === number - 1);
}

type Check = (json: string) => boolean;

/** Generates a value for a tool's schema that Ajv accepts; `null` if all attempts fail. */
function madeFor({ schema, server, tool }: Tool, bare: boolean, check: Check): string | null {
  for (let turn = 0; turn < TRIES_MAX; turn += 1) {
    const value = generate(schema, { bare, seed: `${server}/${tool}/${bare}/${turn}` });
    if (value === null) continue;
    const text = textOf(value);
    if (check(text)) return text;
  }
  return null;
}

/** Tests the given tools. Returns one line for each failure. */
export async function prove(name: string, tools: readonly Tool[]): Promise<readonly string[]> {
  const errors = vi.spyOn(console, "error").mockImplementation(() => undefined);
  const wrong: string[] = [];
  for (const tool of tools) {
    const found: object[] = [];
    const said = await new Proof(tool, found).all();
    if (errors.mock.calls.length > 0) said.push(`said on the console: ${String(errors.mock.calls[0]?.[0]).slice(0, 200)}`);
    errors.mockClear();
    wrong.push(...said.map((one) => `${tool.server}/${tool.tool}: ${one}`));
    const { set, server } = tool;
    record(inject("records"), name, found.map((one) => ({ set, server, tool: tool.tool, ...one })));
  }
  return wrong;
}

class Proof {
  private readonly wrong: string[] = [];

  constructor(
    private readonly tool: Tool,
    private readonly found: object[],
  ) {}

  async all(): Promise<string[]> {
    const { tool, found } = this;
    this.drawn();
    const second = secondOpinion(tool.schema);
    if (second === null) found.push({ kind: "uncompiled" });
    const check = second ?? (() => true);
    const values = new Set(tool.given);
    for (const bare of [false, true]) {
      const text = second === null ? null : madeFor(tool, bare, check);
      if (text !== null) values.add(text);
    }
    if (values.size === 0) found.push({ kind: "unmade" });
    for (const text of values) this.filled(text, second === null ? null : check(text));
    const [largest] = [...values].sort((a, b) => b.length - a.length);
    const strict = secondOpinion(tool.schema, false);
    if (largest !== undefined && strict !== null) await this.refused(largest, strict);
    return this.wrong;
  }

  private drawn(): void {
    const form = showForm(this.tool.schema);
    const elements = sizeOf(form.container);
    const broken = /could not be drawn/.test(form.container.textContent);
    if (broken) this.wrong.push("could not be drawn");
    if (elements > ELEMENTS_MAX) this.wrong.push(`${elements} elements`);
    this.found.push({ kind: "drawn", ok: !broken && elements <= ELEMENTS_MAX, elements });
    form.unmount();
  }

  /** Fills an empty form through its controls, checks the sent text, then mistypes a number. */
  private filled(text: string, second: boolean | null): void {
    const { schema } = this.tool;
    const form = showForm(schema);
    const driver = new Driver(form.container);
    try {
      driver.fill(normalize(schema), valueOf(text));
      sendAnyway(form.container);
      const [sent = form.text()] = form.sent;
      const equal = !sent.startsWith("✕") && canonical(sent) === canonical(text);
      if (!equal) this.wrong.push(`meant ${text.slice(0, 400)}, would send ${sent.slice(0, 400)}`);
      const elements = sizeOf(form.container);
      if (elements > ELEMENTS_MAX) this.wrong.push(`${elements} elements when filled`);
      this.found.push({ kind: "valid", text: sent, equal, second, jsonTyped: driver.jsonTyped, elements });
      this.mistyped(form.container, () => form.sent.length);
    } catch (error) {
      this.wrong.push(`${text.slice(0, 400)} can't be filled: ${String(error)}`);
      this.found.push({ kind: "valid", text, equal: false, second, jsonTyped: 0 });
    } finally {
      form.unmount();
    }
  }

  private mistyped(page: HTMLElement, sent: () => number): void {
    const field = page.querySelector<HTMLInputElement>("input[inputmode=numeric], input[inputmode=decimal]");
    if (field === null) return;
    const before = sent();
    fireEvent.change(field, { target: { value: "12,5" } });
    sendAnyway(page);
    const told = sent() === before && field.getAttribute("aria-invalid") === "true" && problemAt(field.closest("[data-place]")) !== "";
    if (!told) this.wrong.push("a mistyped number is not told at its field");
    this.found.push({ kind: "mistyped", told });
  }

  /** Sends values with one error each. The error message must appear at the field with the error. */
  private async refused(text: string, check: Check): Promise<void> {
    const { schema, server, tool } = this.tool;
    const broken = brokenFrom(normalize(schema), text, check, `${server}/${tool}`);
    for (const one of broken) {
      const told = await this.toldAt(one);
      if (!told) this.wrong.push(`${one.way} at ${one.pointer} is not told there`);
      this.found.push({ kind: "invalid", way: one.way, pointer: one.pointer, text: one.text, told });
    }
  }

  private async toldAt({ pointer, text }: Broken): Promise<boolean> {
    const message = "is what the checker refuses";
    const form = showForm(this.tool.schema, { json: text, errors: () => [{ pointer, message, keyword: "" }] });
    try {
      await form.run();
      if (form.ran.length > 0) return false;
      const jump = form.container.querySelector<HTMLElement>("[role=alert] li button");
      if (jump === null) return false;
      // If the field is not rendered yet, clicking the problem reveals it.
      fireEvent.click(jump);
      for (const row of form.container.querySelectorAll<HTMLElement>("[data-place]")) {
        if (row.dataset["place"] === pointer) return problemAt(row).includes(message);
      }
      return false;
    } finally {
      form.unmount();
    }
  }
}

/** The problem message of a row, without those of nested rows. */
function problemAt(row: Element | null): string {
  if (row === null) return "";
  for (const found of row.querySelectorAll("[id$='-wrong']")) {
    if (found.closest("[data-place]") === row) return found.textContent;
  }
  return "";
}

function sendAnyway(page: HTMLElement): void {
  const panel = page.querySelector("[role=tabpanel]");
  if (panel !== null) fireEvent.keyDown(panel, { key: "Enter", ctrlKey: true, shiftKey: true });
}
