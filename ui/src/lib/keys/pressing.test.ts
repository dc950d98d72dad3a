import { describe, expect, it } from "vitest";

import { keyLabel } from "./keyLabel";
import { isMeant, isPressed } from "./pressing";

function press(key: string, more: Partial<KeyboardEvent> = {}) {
  return { key, code: "", ctrlKey: false, metaKey: false, shiftKey: false, altKey: false, ...more };
}

describe("keys", () => {
  it("are told apart by what is held with them", () => {
    expect(isPressed("Ctrl+K", press("k", { ctrlKey: true }))).toBe(true);
    expect(isPressed("Ctrl+K", press("k"))).toBe(false);
    expect(isPressed("Ctrl+K", press("K", { ctrlKey: true, shiftKey: true }))).toBe(false);
    expect(isPressed("Ctrl+Shift+R", press("R", { ctrlKey: true, shiftKey: true }))).toBe(true);
    expect(isPressed("F6", press("F6"))).toBe(true);
  });

  it("take Cmd for Ctrl, as macOS does", () => {
    expect(isPressed("Ctrl+.", press(".", { metaKey: true }), true)).toBe(true);
    expect(isPressed("Ctrl+E", press("e", { ctrlKey: true }), true)).toBe(false);
    expect(keyLabel("Ctrl+Shift+R", true)).toBe("⇧⌘R");
    expect(keyLabel("Ctrl+Shift+R", false)).toBe("Ctrl+Shift+R");
  });

  it.each([
    ["Ctrl+Space", "⌘Space"],
    ["Delete", "⌦"],
    ["Ctrl+Backspace", "⌘⌫"],
    ["Home", "↖"],
    ["End", "↘"],
    ["PageUp", "⇞"],
    ["PageDown", "⇟"],
    ["Tab", "⇥"],
    ["Esc", "⎋"],
    ["Ctrl+Alt+ArrowUp", "⌥⌘↑"],
    ["Shift+ArrowDown", "⇧↓"],
    ["ArrowLeft", "←"],
    ["ArrowRight", "→"],
    ["F6", "F6"],
  ])("%s are the signs that macOS has for them: %s", (keys, shown) => {
    expect(keyLabel(keys, true)).toBe(shown);
  });

  it("are called as they stand on other keyboards", () => {
    expect(["Ctrl+Space", "Delete", "Home", "PageUp", "Alt+ArrowUp", "Ctrl+Minus"].map((keys) => keyLabel(keys, false))).toEqual([
      "Ctrl+Space",
      "Delete",
      "Home",
      "Page Up",
      "Alt+↑",
      "Ctrl+−",
    ]);
  });

  it("hear the space bar, with Shift and without", () => {
    expect(isPressed("Ctrl+Space", press(" ", { ctrlKey: true }))).toBe(true);
    expect(isPressed("Ctrl+Space", press(" ", { ctrlKey: true, shiftKey: true }))).toBe(false);
    expect(isPressed("Ctrl+Shift+Space", press(" ", { ctrlKey: true, shiftKey: true }))).toBe(true);
  });

  it("are not meant where somebody types with them", () => {
    const field = document.createElement("textarea");
    for (const [keys, key, shiftKey] of [["Enter", "Enter", false], ["Shift+Enter", "Enter", true], ["Space", " ", false], ["x", "x", false], ["Shift+A", "A", true], ["Minus", "-", false]] as const) {
      expect(isMeant(keys, { ...press(key, { shiftKey }), target: field }), keys).toBe(false);
      expect(isMeant(keys, { ...press(key, { shiftKey }), target: document.body }), keys).toBe(true);
    }
    expect(isMeant("Shift+F8", { ...press("F8", { shiftKey: true }), target: field })).toBe(true);
    expect(isMeant("Alt+Enter", { ...press("Enter", { altKey: true }), target: field })).toBe(true);
  });

  it("know the slash wherever a keyboard puts it", () => {
    expect(isPressed("Ctrl+Shift+/", press("?", { ctrlKey: true, shiftKey: true }))).toBe(true);
    expect(isPressed("Ctrl+Shift+/", press("_", { ctrlKey: true, shiftKey: true, code: "Slash" }))).toBe(true);
  });
});
