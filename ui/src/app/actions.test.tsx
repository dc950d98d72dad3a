import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";

import schema from "../../../docs/settings.schema.json?raw";
import guide from "../../../docs/user-guide.md?raw";
import { MockBridge } from "../ipc/mock";
import { mockMember, mockTool, mockView } from "../ipc/mock/members";
import { openWindow } from "../testing/open";
import { textOf } from "../testing/text";
import { keyLabel } from "../lib/keys/keyLabel";
import { actionsOf, usualActionsOf } from "./actions";
import { createStores, type Stores } from "./stores";
import { isPressed } from "../lib/keys/pressing";

function forge() {
  return mockMember(mockView("forge"), [
    mockTool("forge", {
      name: "heat",
      description: "",
      input: { type: "object", properties: { piece: { type: "string" } } },
    }),
  ]);
}

const boundTo = (stores: Stores) =>
  actionsOf(stores).flatMap(({ id, keys, alsoKeys }) => [keys, alsoKeys].flatMap((one) => (one === undefined ? [] : [{ id, keys: one }])));

/** The keyboard event of a shortcut on a US keyboard. */
function pressOf(keys: string) {
  const parts = keys.split("+");
  const name = parts.pop() ?? "";
  const typed: Record<string, string> = { Plus: "+", Minus: "-" };
  return {
    key: typed[name] ?? name,
    code: "",
    ctrlKey: parts.includes("Ctrl"),
    metaKey: false,
    shiftKey: parts.includes("Shift"),
    altKey: parts.includes("Alt"),
  };
}

describe("the actions", () => {
  it("are those that the settings know by their ids", () => {
    const known = (JSON.parse(schema) as { properties: { keys: { propertyNames: { enum: string[] } } } }).properties.keys;
    const there = usualActionsOf(createStores(new MockBridge({ members: [forge()] }))).map(({ id }) => id);
    expect([...known.propertyNames.enum].sort()).toEqual(there.sort());
  });

  it("have each key bound once, and no two that one press would mean", () => {
    const bound = boundTo(createStores(new MockBridge({ members: [forge()] })));
    expect(bound.length).toBeGreaterThan(15);
    for (const { id, keys } of bound) {
      const meant = bound.filter((other) => isPressed(other.keys, pressOf(keys), false));
      expect(meant, keys).toEqual([{ id, keys }]);
    }
  });

  it("leave alone the keys that edit text and reload pages", () => {
    const keys = boundTo(createStores(new MockBridge({ members: [] }))).map((one) => one.keys);
    for (const taken of ["A", "C", "V", "X", "Z", "Y", "R", "W", "Q"]) expect(keys).not.toContain(`Ctrl+${taken}`);
    for (const taken of ["Enter", "Esc", "Tab", "F5"]) expect(keys).not.toContain(taken);
  });

  it("stand in the user guide with their keys", () => {
    const [, section = ""] = /\n### Keys\n([^]*?)\n## /.exec(guide) ?? [];
    const rows = [...section.matchAll(/^\| ([^|]+) \|/gm)].map(([, keys = ""]) => keys.replaceAll("`", "").trim());
    const told = new Set(rows.flatMap((keys) => keys.split(", ")));
    const bound = boundTo(createStores(new MockBridge({ members: [forge()] }))).map(({ keys }) => keyLabel(keys, false));
    expect(bound.filter((keys) => !told.has(keys))).toEqual([]);
  });

  it("have names of their own", () => {
    const actions = actionsOf(createStores(new MockBridge({ members: [forge()] })));
    expect(new Set(actions.map(({ id }) => id)).size).toBe(actions.length);
    expect(new Set(actions.map(({ title }) => title)).size).toBe(actions.length);
  });
});

describe("the sheet of keys", () => {
  it.each(["?", "Control+Shift+/"])("opens by %s and shows every key there is", async (keys) => {
    const { user, stores } = openWindow({ members: [forge()] });
    if (keys === "?") await user.keyboard("?");
    else fireEvent.keyDown(document.body, { key: "?", code: "Slash", ctrlKey: true, shiftKey: true });
    const sheet = within(await screen.findByTestId("key-sheet"));
    for (const { keys: bound } of boundTo(stores)) expect(sheet.getAllByText(keyLabel(bound)).length).toBeGreaterThan(0);
    for (const group of ["Find", "Tool", "Window", "In the roster"]) expect(sheet.getByRole("heading", { name: group })).toBeVisible();
  });

  it("finds keys by words, and says when there are none", async () => {
    const { user } = openWindow({ members: [forge()] });
    await user.keyboard("?");
    const sheet = within(await screen.findByTestId("key-sheet"));
    await user.type(sheet.getByRole("searchbox", { name: "Search shortcuts" }), "zoom nothing");
    expect(textOf(sheet.getByTestId("keys-none"))).toMatchInlineSnapshot(`"No matching shortcuts"`);
    await user.clear(sheet.getByRole("searchbox"));
    await user.type(sheet.getByRole("searchbox"), "ctrl zoom in");
    expect(sheet.getAllByRole("term").map((term) => term.textContent)).toMatchInlineSnapshot(`
      [
        "Zoom in",
      ]
    `);
  });

  it("is not opened by somebody who types a question mark", async () => {
    const { user } = openWindow({ members: [forge()] });
    await user.type(screen.getByTestId("search"), "what?");
    expect(screen.getByTestId("search")).toHaveValue("what?");
    expect(screen.queryByTestId("key-sheet")).toBeNull();
  });

  it("says what the keys are called on macOS", () => {
    expect(keyLabel("Ctrl+Plus", true)).toBe("⌘+");
    expect(keyLabel("Ctrl+Enter", true)).toBe("⌘↩");
    expect(keyLabel("Ctrl+Minus", false)).toBe("Ctrl+−");
  });
});

describe("layers", () => {
  it("are closed one at a time by Esc, and give the focus back to where it was", async () => {
    const { user, stores } = openWindow({ members: [forge()] });
    const first = screen.getByRole("button", { name: "Theme: System" });
    first.focus();
    act(() => stores.layers.open("warnings"));
    await user.keyboard("{Control>}k{/Control}");
    await waitFor(() => expect(screen.getByTestId("palette-input")).toHaveFocus());
    await user.keyboard("{Escape}");
    expect(screen.queryByTestId("palette-input")).toBeNull();
    expect(screen.getByRole("region", { name: "Warnings" })).toBeVisible();
    await waitFor(() => expect(screen.getByRole("region", { name: "Warnings" })).toHaveFocus());
    await user.keyboard("{Escape}");
    expect(screen.queryByRole("region", { name: "Warnings" })).toBeNull();
    await waitFor(() => expect(first).toHaveFocus());
  });

  it("give the focus to what took the place of what had it, and to nothing beside that where nothing did", async () => {
    const { stores } = openWindow({ members: [forge()] });
    const row = document.createElement("div");
    row.innerHTML = '<input id="name-of-it" /><button>beside</button>';
    document.querySelector("main")!.append(row);
    const above = async (change: () => void) => {
      row.querySelector("input")!.focus();
      act(() => stores.layers.open("warnings"));
      act(() => screen.getByRole("region", { name: "Warnings" }).focus());
      change();
      act(() => stores.layers.close("warnings"));
      await new Promise((drawn) => requestAnimationFrame(drawn));
    };
    await above(() => row.querySelector("input")!.replaceWith(Object.assign(document.createElement("input"), { id: "name-of-it" })));
    expect(row.querySelector("input")).toHaveFocus();
    await above(() => row.querySelector("input")!.remove());
    expect(document.body).toHaveFocus();
    row.remove();
  });

  it("that take each other's place give the focus back to where the first had it from", async () => {
    const { user } = openWindow({ members: [forge()] });
    const first = screen.getByRole("button", { name: "Theme: System" });
    first.focus();
    await user.keyboard("{Control>}k{/Control}");
    await user.type(await screen.findByTestId("palette-input"), ">keyboard shortcuts{Enter}");
    await screen.findByTestId("key-sheet");
    expect(screen.queryByTestId("palette-input")).toBeNull();
    await user.keyboard("{Escape}");
    await waitFor(() => expect(first).toHaveFocus());
  });
});

describe("where the keys go", () => {
  it("F6 goes round the regions", async () => {
    const { user } = openWindow({ members: [forge()] });
    const region = () => document.activeElement?.closest("[data-region]")?.tagName;
    const seen = [];
    for (let press = 0; press < 7; press += 1) {
      await user.keyboard("{F6}");
      seen.push(region());
    }
    expect(seen).toEqual(["NAV", "HEADER", "SECTION", "NAV", "MAIN", "FOOTER", "NAV"]);
  });

  it("Alt and a number go to a page's tabs", async () => {
    const { user, stores } = openWindow({ members: [forge()] });
    act(() => stores.navigation.openMember("forge"));
    await screen.findByRole("tab", { name: /^Tools/ });
    const tabs = () => screen.getAllByRole("tab");
    await user.keyboard("{Alt>}3{/Alt}");
    expect(tabs()[2]).toHaveAttribute("aria-selected", "true");
    await waitFor(() => expect(tabs()[2]).toHaveFocus());
    fireEvent.keyDown(document.body, { key: "¡", code: "Digit1", altKey: true });
    expect(tabs()[0]).toHaveAttribute("aria-selected", "true");
  });

  it("zooms in steps between its limits, and keeps the size", async () => {
    const { user, bridge } = openWindow({ members: [forge()] });
    await user.keyboard("{Control>}+{/Control}");
    expect(bridge.zoomed).toBe(1.1);
    expect(localStorage.getItem("guild-hall.zoom")).toBe("110");
    for (let press = 0; press < 20; press += 1) await user.keyboard("{Control>}={/Control}");
    expect(bridge.zoomed).toBe(3);
    for (let press = 0; press < 20; press += 1) await user.keyboard("{Control>}-{/Control}");
    expect(bridge.zoomed).toBe(0.5);
    await user.keyboard("{Control>}0{/Control}");
    expect(bridge.zoomed).toBe(1);
    expect(localStorage.getItem("guild-hall.zoom")).toBeNull();
  });
});
