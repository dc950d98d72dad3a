/** The keyboard: which action a key press means. */
import { useEffect } from "react";

import { actionsOf, type Action } from "./actions";
import { onMac } from "../words/keys";
import type { House } from "./house";

type Press = Pick<KeyboardEvent, "key" | "code" | "ctrlKey" | "metaKey" | "shiftKey" | "altKey">;

/** Whether Ctrl is held, or Cmd on macOS; the other of the two must not be. */
function isCommand(press: Press, mac: boolean): boolean {
  return mac ? press.metaKey && !press.ctrlKey : press.ctrlKey && !press.metaKey;
}

/** Keys that are called otherwise than what they type, with what they type on different keyboards. */
const TYPED: Readonly<Record<string, readonly string[]>> = { Plus: ["+", "="], Minus: ["-", "_"] };

/** Whether `keys` is one bare character, which somebody may also want to type. */
export function isBare(keys: string): boolean {
  return keys.length === 1;
}

/** Whether a press is `keys`, such as `Ctrl+Shift+R`. */
export function isPressed(keys: string, press: Press, mac = onMac): boolean {
  const parts = keys.split("+");
  const key = parts.pop() ?? "";
  const wants = (name: string) => parts.includes(name);
  if (wants("Ctrl") ? !isCommand(press, mac) : press.ctrlKey || press.metaKey) return false;
  if (wants("Alt") !== press.altKey) return false;
  const typed = TYPED[key];
  if (typed) return typed.includes(press.key);
  // A bare character may need Shift on one keyboard and not on another.
  if (isBare(keys)) return press.key === keys;
  if (wants("Shift") !== press.shiftKey) return false;
  // With Shift held, `/` arrives as `?` on most keyboards.
  if (key === "/") return press.key === "/" || press.key === "?" || press.code === "Slash";
  // With Alt held, a digit types something else on macOS.
  if (/^\d$/.test(key)) return press.key === key || press.code === `Digit${key}`;
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

/** Whether the action is meant by a press on `target`. */
function isMeant(action: Action, press: KeyboardEvent): boolean {
  return [action.keys, action.alsoKeys].some(
    (keys) => keys !== undefined && isPressed(keys, press) && !(isBare(keys) && isTyping(press.target)),
  );
}

/** What a key that is held does once. */
const ONCE: ReadonlySet<string> = new Set(["run", "send-anyway", "cancel"]);

/** What is meant for the window as a whole, so that it counts above an open dialog too. */
const ABOVE_DIALOGS: ReadonlySet<string> = new Set(["palette", "tools", "zoom-in", "zoom-out", "zoom-reset"]);

/** Whether something lies open that has to be answered or closed before the page goes on. */
function isCovered(house: House): boolean {
  if (house.layers.has("palette") || house.layers.has("keys")) return true;
  return document.querySelector('[role="dialog"], [role="alertdialog"]') !== null;
}

export function useKeys(house: House): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (isReload(event)) event.preventDefault();
      else if (event.defaultPrevented) return;
      if (event.key === "Escape") {
        if (house.layers.closeTop()) event.preventDefault();
        return;
      }
      // Most presses are somebody's typing; they are not compared with anything.
      if (event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey && isTyping(event.target)) return;
      const action = actionsOf(house).find((each) => isMeant(each, event));
      if (!action) return;
      event.preventDefault();
      if (event.repeat && ONCE.has(action.id)) return;
      if (!ABOVE_DIALOGS.has(action.id) && isCovered(house)) return;
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
