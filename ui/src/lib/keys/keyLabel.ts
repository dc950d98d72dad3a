/** Formats shortcuts for the user's platform. */

/** Display names of keys, where they differ from `KeyboardEvent.key`. */
const KEYS: Readonly<Record<string, string>> = {
  PageUp: "Page Up",
  PageDown: "Page Down",
};

/** Whether Cmd replaces Ctrl. */
export const onMac = /^Mac|^iP/.test(navigator.platform);

/** Keys that are shown as a symbol on every platform. */
const SIGNS: Readonly<Record<string, string>> = {
  Plus: "+",
  Minus: "−",
  ArrowUp: "↑",
  ArrowDown: "↓",
  ArrowLeft: "←",
  ArrowRight: "→",
};

/** The symbols of macOS menus. macOS shows the space bar as a word too. */
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
  const called = (name: string) => KEYS[name] ?? name;
  if (!mac) return [...parts.map(called), SIGNS[key] ?? called(key)].join("+");
  const held = MAC_HELD.flatMap(([name, sign]) => (parts.includes(name) ? [sign] : []));
  return `${held.join("")}${MAC_SIGNS[key] ?? called(key)}`;
}
