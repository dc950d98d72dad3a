/** Tests that customized shortcuts are shown wherever shortcuts are shown, and that they trigger their actions. */
import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";

import type { MockCall } from "../ipc/mock";
import { mockMember, mockTool, mockView } from "../ipc/mock/members";
import { DEFAULTS } from "../lib/settingsSchema";
import { textEnd } from "../testing/callEnds";
import { openWindow } from "../testing/open";
import { textOf } from "../testing/text";
import { keyLabel } from "../lib/keys/keyLabel";
import { PART_KEYS, SECOND_KEYS, USUAL_KEYS, type OwnKeys } from "../lib/keys/actionKeys";
import { actionsOf } from "./actions";
import { partKeys } from "./partKeys";

const ANSWERED = textEnd("glows");

function openForge(onCall: MockCall = () => Promise.resolve(ANSWERED)) {
  const input = { type: "object", properties: { piece: { type: "string" } } };
  const tools = [mockTool("forge", { name: "heat", description: "", hints: { readOnly: true }, input })];
  const window = openWindow({ members: [mockMember(mockView("forge"), tools)], onCall });
  const give = (keys: OwnKeys) => act(() => window.bridge.settings.write({ ...DEFAULTS, keys: keys as Record<string, string> }));
  const sent = () => window.bridge.asked.filter(({ name }) => name === "invoke_tool").length;
  return { ...window, give, sent };
}

async function openHeat(window: ReturnType<typeof openForge>) {
  act(() => window.stores.navigation.openTool("forge", "heat"));
  return screen.findByRole("textbox", { name: "piece" });
}

const inHead = (name: string) => within(document.querySelector<HTMLElement>("header[data-region]")!).getByRole("button", { name });
const tooltipOf = (button: HTMLElement) => button.getAttribute("aria-description") ?? button.title;

describe("keys of one's own", () => {
  it("stand in the bars, the search field and the hints, as soon as they are given", async () => {
    const window = openForge();
    await openHeat(window);
    expect(tooltipOf(inHead("Search or run a command"))).toBe("Search or run a command (Ctrl+K)");
    window.give({ palette: "Alt+F", help: "F2", search: "Ctrl+Alt+S", dock: "F9", agents: "F10", "save-call": "Alt+S", "copy-as": "Alt+C", "send-anyway": "F12", run: "F8" });
    expect(tooltipOf(inHead("Search or run a command"))).toBe("Search or run a command (Alt+F)");
    expect(tooltipOf(screen.getByRole("button", { name: "Help" }))).toMatchInlineSnapshot(`"Help (F2)"`);
    expect(screen.getByTestId("search").nextElementSibling?.textContent).toBe("Ctrl+Alt+S");
    expect(tooltipOf(inHead("History"))).toBe("F9");
    expect(tooltipOf(inHead("Agents"))).toBe("F10");
    expect(tooltipOf(screen.getByRole("button", { name: "Save" }))).toMatchInlineSnapshot(`"Save these arguments under a name (Alt+S)"`);
    await window.user.click(screen.getByRole("button", { name: "More actions for heat" }));
    expect(await screen.findByRole("menuitem", { name: /^Copy as.*Alt\+C/ })).toBeVisible();
    await window.user.keyboard("{Escape}");
    await window.user.click(screen.getByRole("button", { name: "More ways to run" }));
    expect(await screen.findByRole("menuitem", { name: /^Run without validation.*F12/ })).toBeVisible();
    await window.user.keyboard("{Escape}");
    expect(textOf(screen.getByTestId("result-empty"))).toMatchInlineSnapshot(`"Run the tool to see its resultF8"`);
  });

  it("are named nowhere once they were taken away", async () => {
    const window = openForge();
    await openHeat(window);
    window.give(Object.fromEntries(Object.keys(USUAL_KEYS).map((action) => [action, ""])));
    expect(document.querySelectorAll("kbd")).toHaveLength(0);
    expect(screen.getByTestId("search").nextElementSibling).toBeNull();
    expect(tooltipOf(screen.getByRole("button", { name: "Help" }))).toBe("");
    expect(tooltipOf(screen.getByRole("button", { name: "Save" }))).toMatchInlineSnapshot(`"Save these arguments under a name"`);
    expect(textOf(screen.getByTestId("result-empty"))).toMatchInlineSnapshot(`"Run the tool to see its result"`);
    expect(partKeys(window.stores.settings.ownKeys()).find(({ title }) => title === "In an agent's call")?.lines).toEqual([]);
  });

  it("run a tool from within its form, and its usual keys no longer do", async () => {
    const window = openForge();
    const field = await openHeat(window);
    window.give({ run: "F8", "send-anyway": "Ctrl+Enter" });
    fireEvent.keyDown(field, { key: "Enter", ctrlKey: true, shiftKey: true });
    expect(window.sent()).toBe(0);
    fireEvent.keyDown(field, { key: "F8" });
    await waitFor(() => expect(window.sent()).toBe(1));
    expect(window.bridge.asked.findLast(({ name }) => name === "invoke_tool")?.request).toMatchObject({ check: "refuse" });
  });

  it("answer a question, and do not run the tool beside it", async () => {
    const answers: string[] = [];
    const window = openForge(async ({ call }) => {
      const mode = { kind: "form" as const, schema: JSON.stringify({ type: "object", properties: { steel: { type: "string" } } }), notes: [] };
      answers.push((await window.bridge.elicit({ member: "forge", tool: "heat", call, message: "Which steel?", mode })).action);
      return ANSWERED;
    });
    await openHeat(window);
    window.give({ run: "F8", "send-anyway": "F7" });
    await window.user.click(screen.getByTestId("run"));
    const question = within(await screen.findByTestId("question"));
    expect(question.getByText("F8")).toBeVisible();
    const field = question.getByRole("textbox", { name: "steel" });
    fireEvent.keyDown(field, { key: "F7" });
    fireEvent.keyDown(field, { key: "Enter", ctrlKey: true });
    expect(answers).toEqual([]);
    fireEvent.keyDown(field, { key: "F8" });
    await waitFor(() => expect(answers).toEqual(["accept"]));
    expect(window.sent()).toBe(1);
  });

  it("of one character are typed where somebody types", async () => {
    const window = openForge();
    const field = await openHeat(window);
    window.give({ run: "x" });
    await window.user.type(field, "ax");
    expect(field).toHaveValue("ax");
    expect(window.sent()).toBe(0);
  });

  it.each([
    ["Space", " ", false],
    ["Backspace", "Backspace", false],
    ["Plus", "+", true],
    ["Shift+A", "A", true],
  ])("without Ctrl or Alt are typed where somebody types: %s", async (keys, key, shiftKey) => {
    const window = openForge();
    const field = await openHeat(window);
    window.give({ run: keys });
    fireEvent.keyDown(field, { key, shiftKey });
    expect(window.sent()).toBe(0);
    fireEvent.keyDown(document.body, { key, shiftKey });
    await waitFor(() => expect(window.sent()).toBe(1));
  });

  it.each(["F8", "Shift+F8", "Alt+X", "Ctrl+Enter"])("with Ctrl or Alt, and function keys, count there too: %s", async (keys) => {
    const window = openForge();
    const field = await openHeat(window);
    window.give({ run: keys });
    const held = keys.split("+");
    const key = held.pop() ?? "";
    fireEvent.keyDown(field, { key, ctrlKey: held.includes("Ctrl"), altKey: held.includes("Alt"), shiftKey: held.includes("Shift") });
    await waitFor(() => expect(window.sent()).toBe(1));
  });
});

describe("the table of keys", () => {
  it("names actions that there are, and no other", () => {
    const { stores } = openForge();
    const ids = new Set(actionsOf(stores).map(({ id }) => id));
    expect([...Object.keys(USUAL_KEYS), ...Object.keys(SECOND_KEYS)].filter((id) => !ids.has(id))).toEqual([]);
    for (const keys of Object.values(PART_KEYS)) expect(keyLabel(keys)).not.toBe("");
  });

  it("is the only place that names keys, with the sheet of those that count in one part", () => {
    const sources = import.meta.glob<string>(["../**/*.{ts,tsx}", "!../**/*.test.{ts,tsx}", "!../testing/**", "!../**/states.ts", "!../lib/keys/actionKeys.ts", "!./partKeys.ts"], {
      query: "?raw",
      import: "default",
      eager: true,
    });
    expect(Object.keys(sources).length).toBeGreaterThan(300);
    const code = (text: string) => text.replace(/\/\*[^]*?\*\/|\/\/.*/g, "");
    const named = /\b(?:Ctrl|Strg|Alt|Shift|Umschalt|Cmd)\+|keyLabel\(["'`]|(?<!=== )["'`]F(?:[1-9]|1[0-2])\b|\sF(?:[1-9]|1[0-2])\b(?!:)/;
    const naming = Object.entries(sources).flatMap(([path, text]) => (named.test(code(text)) ? [path] : []));
    expect(naming).toEqual([]);
  });
});
