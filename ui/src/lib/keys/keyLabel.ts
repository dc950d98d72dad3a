/** The names of keys on the keyboard at hand. */

/** Keys that are not called as the code calls them. */
const KEYS: Readonly<Record<string, string>> = {
  PageUp: "Page Up",
  PageDown: "Page Down",
};

/** Whether Cmd replaces Ctrl. */
export const onMac = /^Mac|^iP/.test(navigator.platform);

/** Keys that are a sign on every keyboard. */
const SIGNS: Readonly<Record<string, string>> = {
  Plus: "+",
  Minus: "−",
  ArrowUp: "↑",
  ArrowDown: "↓",
  ArrowLeft: "←",
  ArrowRight: "→",
};

/** As the menus of macOS show them; the space bar is a word there too. */
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

/** In the order in which macOS shows what is held. */
const MAC_HELD = [
  ["Alt", "⌥"],
  ["Shift", "⇧"],
  ["Ctrl", "⌘"],
] as const;

/** `Ctrl+Shift+R`, and on macOS `⇧⌘R`. */
export function keyLabel(keys: string, mac = onMac): string {
  const parts = keys.split("+");
  const key = parts.pop() ?? "";
  const called = (name: string) => KEYS[name] ?? name;
  if (!mac) return [...parts.map(called), SIGNS[key] ?? called(key)].join("+");
  const held = MAC_HELD.flatMap(([name, sign]) => (parts.includes(name) ? [sign] : []));
  return `${held.join("")}${MAC_SIGNS[key] ?? called(key)}`;
}
