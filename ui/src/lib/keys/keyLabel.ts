/** Formats shortcuts for the user's platform. */

/** Whether the platform is macOS or iOS, where Cmd replaces Ctrl. */
export const onMac = /^Mac|^iP/.test(navigator.platform);

/** The labels of keys, where they differ from `KeyboardEvent.key`. */
const SIGNS: Readonly<Record<string, string>> = {
  Plus: "+",
  Minus: "−",
  ArrowUp: "↑",
  ArrowDown: "↓",
  ArrowLeft: "←",
  ArrowRight: "→",
  PageUp: "Page Up",
  PageDown: "Page Down",
};

/** The labels of keys on macOS: the symbols of macOS menus. The menus show the space bar as a word too. */
const MAC_SIGNS: Readonly<Record<string, string>> = {
  ...SIGNS,
  Enter: "↩",
  Esc: "⎋",
  Tab: "⇥",
  Backspace: "⌫",
  Delete: "⌦",
  Home: "↖",
  End: "↘",
  PageUp: "⇞",
  PageDown: "⇟",
};

/** The modifier keys with their macOS symbols, in the order in which macOS menus show them. */
const MAC_HELD = [
  ["Alt", "⌥"],
  ["Shift", "⇧"],
  ["Ctrl", "⌘"],
] as const;

/** The label of a shortcut: `Ctrl+Shift+R`, or `⇧⌘R` on macOS. */
export function keyLabel(keys: string, mac = onMac): string {
  const parts = keys.split("+");
  const key = parts.pop() ?? "";
  if (!mac) return [...parts, SIGNS[key] ?? key].join("+");
  const held = MAC_HELD.flatMap(([name, sign]) => (parts.includes(name) ? [sign] : []));
  return `${held.join("")}${MAC_SIGNS[key] ?? key}`;
}
