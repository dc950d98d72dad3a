/**
 * In happy-dom, axe does not recognize open dialogs and reports the elements behind them.
 * @vitest-environment jsdom
 */
import { act, screen, waitFor } from "@testing-library/react";
import { describe, expect, it } from "vitest";

import { firstStop } from "../features/form/view/aside";
import sheet from "../theme.css?raw";
import { axeDefects } from "./axe";
import { openWindow } from "./open";
import { STATES } from "./states";
import type { State } from "./state";

async function openState({ options, arrive, shows }: State): Promise<void> {
  const { stores, bridge } = openWindow(options());
  // If the text already existed, the test would not notice that the state is not reached yet.
  if (arrive) expect(document.body).not.toHaveTextContent(shows);
  act(() => arrive?.(stores, bridge));
  await waitFor(() => expect(document.body).toHaveTextContent(shows));
}

/** A selector for all controls. */
const CONTROLS =
  'a[href], button, input:not([type="hidden"]), select, textarea, summary, [contenteditable="true"], [role="button"], [role="tab"], [role="checkbox"], [role="switch"], [role="slider"], [role="separator"][aria-valuenow], [role="combobox"], [role="tree"], [role="link"]';

/**
 * Whether a control can be reached with the keyboard: by Tab, by the arrow keys in a group that Tab reaches, or by
 * the key that focuses the buttons beside a field.
 */
function isReachable(control: HTMLElement): boolean {
  if (control.tabIndex >= 0) return true;
  const row = control.matches("[data-aside]") ? control.closest("[data-place]") : null;
  if (row !== null) return firstStop(row) !== undefined;
  if (control.matches(":disabled") || control.closest('[aria-hidden="true"], [inert], [data-aria-hidden="true"]')) return true;
  const group = control.closest('[role="tablist"], [role="radiogroup"], [role="listbox"], [role="tree"], [role="grid"], [role="toolbar"], [role="menu"], [role="log"]');
  return group !== null && [group, ...group.querySelectorAll<HTMLElement>("*")].some((one) => (one as HTMLElement).tabIndex >= 0);
}

describe.each(STATES)("the state $name", (state) => {
  it("shows what it is, has no defect that axe can see, each control is reached by keys, and each error leads to its page", async () => {
    await openState(state);
    if (state.code !== undefined) expect(document.querySelector(`[data-code="${state.code}"] [role=link]`)).toHaveTextContent(state.code);
    expect(await axeDefects()).toEqual([]);
    const lost = [...document.querySelectorAll<HTMLElement>(CONTROLS)].filter((control) => !isReachable(control));
    expect(lost.map((control) => control.outerHTML.slice(0, 200))).toEqual([]);
    const mute = [...document.querySelectorAll("[data-code]")].filter((told) => told.querySelector("[role=link]") === null);
    expect(mute.map((told) => told.outerHTML.slice(0, 200))).toEqual([]);
  });
});

describe("the catalogue of states", () => {
  it("names each once, as files are called", () => {
    expect(new Set(STATES.map(({ name }) => name)).size).toBe(STATES.length);
    for (const { name } of STATES) expect(name).toMatch(/^[a-z][a-z-]*$/);
  });

  const FOREIGN = ["right-to-left", "right-to-left-member", "right-to-left-policies", "policies-rules", "approval-queue", "traffic", "history"];

  it.each(FOREIGN)("sets each text of a server apart, with a direction of its own: %s", async (name) => {
    const [, tags = ""] = /\n((?: {2}[a-z0-9]+,?\n)+|(?: {2}[a-z0-9]+,?\n)* {2}[a-z0-9]+) \{\n {4}unicode-bidi: plaintext/.exec(sheet) ?? [];
    expect(tags).toMatch(/\bspan\b/);
    const state = STATES.find((one) => one.name === name)!;
    await openState(state);
    const foreign = /[\u0590-\u06ff]/;
    await waitFor(() => expect(document.body).toHaveTextContent(foreign));
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const loose: string[] = [];
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const text = node.textContent ?? "";
      if (!foreign.test(text)) continue;
      const element = node.parentElement!;
      const mixed = [...element.childNodes].some((other) => other !== node && other.nodeType === Node.TEXT_NODE && /\p{L}/u.test(other.textContent ?? ""));
      if (mixed || !element.matches(`bdi, [dir="auto"], ${tags}`)) loose.push(element.textContent);
    }
    expect(loose).toEqual([]);
    expect(screen.getByTestId("roster")).toBeVisible();
  });
});
