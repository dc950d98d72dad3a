/** Compares keyboard events with shortcuts such as `Ctrl+Shift+R`. */
import { onMac } from "./keyLabel";

export type Press = Pick<KeyboardEvent, "key" | "code" | "ctrlKey" | "metaKey" | "shiftKey" | "altKey">;

/** Whether Ctrl is held without the Meta key; on macOS, whether Cmd is held without Ctrl. */
function isCommand(press: Press, mac: boolean): boolean {
  return mac ? press.metaKey && !press.ctrlKey : press.ctrlKey && !press.metaKey;
}

/** Key names that differ from the typed character, with the values of `KeyboardEvent.key` that they match. */
const TYPED: Readonly<Record<string, readonly string[]>> = { Plus: ["+", "="], Minus: ["-", "_"] };

/** Whether a shortcut is a single character without modifier keys. */
function isCharacter(keys: string): boolean {
  return keys.length === 1;
}

/**
 * Whether pressing the shortcut in a text field would edit the text: it has no function key and no modifier key except
 * Shift.
 */
function isBare(keys: string): boolean {
  const held = keys.split("+");
  const key = held.pop() ?? "";
  return !/^F\d/.test(key) && !["Ctrl", "Alt", "Meta"].some((name) => held.includes(name));
}

/** Whether a key press matches a shortcut such as `Ctrl+Shift+R`. */
export function isPressed(keys: string, press: Press, mac = onMac): boolean {
  const parts = keys.split("+");
  const key = parts.pop() ?? "";
  const wants = (name: string) => parts.includes(name);
  if (wants("Ctrl") ? !isCommand(press, mac) : press.ctrlKey || press.metaKey) return false;
  if (wants("Alt") !== press.altKey) return false;
  const typed = TYPED[key];
  if (typed) return typed.includes(press.key);
  // Whether a single character needs Shift depends on the keyboard layout.
  if (isCharacter(keys)) return press.key === keys;
  if (wants("Shift") !== press.shiftKey) return false;
  // With Shift held, most keyboard layouts report `?` for the `/` key.
  if (key === "/") return press.key === "/" || press.key === "?" || press.code === "Slash";
  // On macOS, Alt with a digit reports another character.
  if (/^\d$/.test(key)) return press.key === key || press.code === `Digit${key}`;
  if (key === "Space") return press.key === " ";
  return press.key.toLowerCase() === key.toLowerCase();
}

export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || ["INPUT", "TEXTAREA", "SELECT"].includes(target.tagName))
  );
}

/** Whether a key press matches a shortcut and is not text typed into a field. */
export function isMeant(keys: string, press: Press & Pick<KeyboardEvent, "target">): boolean {
  return isPressed(keys, press) && !(isBare(keys) && isTyping(press.target));
}
