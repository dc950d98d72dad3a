import { describe, expect, it } from "vitest";

import { isPressed } from "../../lib/keys/pressing";
import { pressed } from "./press";

function press(key: string, more: Partial<KeyboardEvent> = {}) {
  return { key, code: "", ctrlKey: false, metaKey: false, shiftKey: false, altKey: false, ...more };
}

describe("keys that are pressed to be taken", () => {
  it("are none with the command key of the other system", () => {
    expect(pressed(press("k", { ctrlKey: true }), false, true)).toEqual({ kind: "taken" });
    expect(pressed(press("k", { metaKey: true }), false, false)).toEqual({ kind: "taken" });
    expect(pressed(press("k", { metaKey: true }), false, true)).toEqual({ kind: "keys", keys: "Ctrl+K" });
    expect(pressed(press("k", { ctrlKey: true }), false, false)).toEqual({ kind: "keys", keys: "Ctrl+K" });
  });

  it("are plus and minus with Shift and without it, as they count", () => {
    for (const shifted of [press("+", { ctrlKey: true, shiftKey: true }), press("+", { ctrlKey: true })]) {
      expect(pressed(shifted, false, false)).toEqual({ kind: "keys", keys: "Ctrl+Plus" });
      expect(isPressed("Ctrl+Plus", shifted, false)).toBe(true);
    }
    expect(pressed(press("_", { ctrlKey: true, shiftKey: true }), false, false)).toEqual({ kind: "keys", keys: "Ctrl+Minus" });
    // A shortcut that works in all programs keeps Shift, because the operating system compares Shift too.
    expect(pressed(press("+", { ctrlKey: true, shiftKey: true }), true, false)).toEqual({ kind: "keys", keys: "Ctrl+Shift+Plus" });
  });
});
