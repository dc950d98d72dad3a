/** Keys as they are called on the keyboard at hand. */

/** Whether Cmd stands for Ctrl. */
export const onMac = /^Mac|^iP/.test(navigator.platform);

/** `Ctrl+Shift+R`, and on macOS `⇧⌘R`. */
export function keyLabel(keys: string, mac = onMac): string {
  if (!mac) return keys;
  const parts = keys.split("+");
  const key = parts.pop() ?? "";
  const signs = [
    parts.includes("Alt") ? "⌥" : "",
    parts.includes("Shift") ? "⇧" : "",
    parts.includes("Ctrl") ? "⌘" : "",
  ];
  return `${signs.join("")}${key}`;
}
