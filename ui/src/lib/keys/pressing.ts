/** Which keys a press is. */
import { onMac } from "./keyLabel";

export type Press = Pick<KeyboardEvent, "key" | "code" | "ctrlKey" | "metaKey" | "shiftKey" | "altKey">;

/** Whether Ctrl is held, or Cmd on macOS; the other of the two must not be. */
function isCommand(press: Press, mac: boolean): boolean {
  return mac ? press.metaKey && !press.ctrlKey : press.ctrlKey && !press.metaKey;
}

/** Keys that are called otherwise than what they type, with what they type on different keyboards. */
const TYPED: Readonly<Record<string, readonly string[]>> = { Plus: ["+", "="], Minus: ["-", "_"] };

/** Whether `keys` is a single typed character. */
function isCharacter(keys: string): boolean {
  return keys.length === 1;
}

/** Whether `keys` is also used for typing: not a function key, and with no modifier except Shift. */
function isBare(keys: string): boolean {
  const held = keys.split("+");
  const key = held.pop() ?? "";
  return !/^F\d/.test(key) && !["Ctrl", "Alt", "Meta"].some((name) => held.includes(name));
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
  if (isCharacter(keys)) return press.key === keys;
  if (wants("Shift") !== press.shiftKey) return false;
  // With Shift held, `/` arrives as `?` on most keyboards.
  if (key === "/") return press.key === "/" || press.key === "?" || press.code === "Slash";
  // With Alt held, a digit types something else on macOS.
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

/** Whether a press on its target is meant as `keys`, and not as text. */
export function isMeant(keys: string, press: Press & Pick<KeyboardEvent, "target">): boolean {
  return isPressed(keys, press) && !(isBare(keys) && isTyping(press.target));
}
