/** Keys as they are called on the keyboard at hand, and in its language. */
import { words } from "./frame";

/** Whether Cmd stands for Ctrl. */
export const onMac = /^Mac|^iP/.test(navigator.platform);

const SIGNS: Readonly<Record<string, string>> = { Plus: "+", Minus: "−" };
const MAC_SIGNS: Readonly<Record<string, string>> = { ...SIGNS, Enter: "↩", Esc: "⎋" };

/** `Ctrl+Shift+R`, and on macOS `⇧⌘R`. */
export function keyLabel(keys: string, mac = onMac): string {
  const parts = keys.split("+");
  const key = parts.pop() ?? "";
  if (!mac) return [...parts, SIGNS[key] ?? key].map((part) => words.keys[part] ?? part).join("+");
  const signs = [
    parts.includes("Alt") ? "⌥" : "",
    parts.includes("Shift") ? "⇧" : "",
    parts.includes("Ctrl") ? "⌘" : "",
  ];
  return `${signs.join("")}${MAC_SIGNS[key] ?? key}`;
}
