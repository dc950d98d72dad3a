/** The keyboard: which action a key press means. */
import { useEffect } from "react";

import { actionsOf } from "./actions";
import { onMac } from "../words/keys";
import type { House } from "./house";

type Press = Pick<KeyboardEvent, "key" | "code" | "ctrlKey" | "metaKey" | "shiftKey" | "altKey">;

/** Whether Ctrl is held, or Cmd on macOS; the other of the two must not be. */
function isCommand(press: Press, mac: boolean): boolean {
  return mac ? press.metaKey && !press.ctrlKey : press.ctrlKey && !press.metaKey;
}

/** Whether a press is `keys`, such as `Ctrl+Shift+R`. */
export function isPressed(keys: string, press: Press, mac = onMac): boolean {
  const parts = keys.split("+");
  const key = parts.pop() ?? "";
  const wants = (name: string) => parts.includes(name);
  if (wants("Ctrl") ? !isCommand(press, mac) : press.ctrlKey || press.metaKey) return false;
  if (wants("Shift") !== press.shiftKey || wants("Alt") !== press.altKey) return false;
  // With Shift held, `/` arrives as `?` on most keyboards.
  if (key === "/") return press.key === "/" || press.key === "?" || press.code === "Slash";
  return press.key.toLowerCase() === key.toLowerCase();
}

/** A reload would throw the drafts away, and the page is no web page. */
function isReload(press: Press): boolean {
  return press.key === "F5" || ((press.ctrlKey || press.metaKey) && press.key.toLowerCase() === "r");
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || ["INPUT", "TEXTAREA", "SELECT"].includes(target.tagName))
  );
}

export function useKeys(house: House): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (isReload(event)) event.preventDefault();
      else if (event.defaultPrevented) return;
      if (event.key === "Escape" && house.layer.get() !== "none") {
        house.layer.set("none");
        event.preventDefault();
        return;
      }
      if (event.key === "/" && !event.ctrlKey && !event.metaKey && !isTyping(event.target)) {
        event.preventDefault();
        house.searchTools();
        return;
      }
      const action = actionsOf(house).find(({ keys }) => keys !== undefined && isPressed(keys, event));
      if (!action) return;
      event.preventDefault();
      if (action.unavailable === undefined) action.run();
    };
    // The web view's own menu offers a reload; it is kept where it has text to copy or to paste.
    const onMenu = (event: MouseEvent) => {
      if (!isTyping(event.target) && window.getSelection()?.isCollapsed !== false) event.preventDefault();
    };
    window.addEventListener("keydown", onKey);
    window.addEventListener("contextmenu", onMenu);
    return () => {
      window.removeEventListener("keydown", onKey);
      window.removeEventListener("contextmenu", onMenu);
    };
  }, [house]);
}
