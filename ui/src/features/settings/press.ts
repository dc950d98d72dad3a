/** Converts key presses to the key names used in the settings. */
import { onMac } from "../../lib/keys/keyLabel";

type Press = Pick<KeyboardEvent, "key" | "code" | "ctrlKey" | "metaKey" | "shiftKey" | "altKey">;

/** Keys that only hold others. */
const HOLDING: ReadonlySet<string> = new Set(["Control", "Shift", "Alt", "AltGraph", "Meta", "OS", "CapsLock", "Fn", "Dead", "Process", "Unidentified"]);
/** What is written otherwise than it arrives. */
const NAMES: Readonly<Record<string, string>> = { "+": "Plus", "-": "Minus", " ": "Space", "=": "Plus", _: "Minus" };
/** What a key that is named rather than typed may be called. */
const NAMED = /^(Enter|Space|Backspace|Delete|Insert|Home|End|PageUp|PageDown|Arrow(Up|Down|Left|Right)|Plus|Minus|F([1-9]|1[0-2]))$/;

type Pressed =
  /** Nothing yet: only Ctrl, Shift or Alt is held. */
  | { readonly kind: "holding" }
  | { readonly kind: "keys"; readonly keys: string }
  /** These mean something everywhere. */
  | { readonly kind: "taken" };

/** What a press is as keys; `everywhere` where it is to count in other programs too. */
export function pressed(press: Press, everywhere = false, mac = onMac): Pressed {
  if (HOLDING.has(press.key)) return { kind: "holding" };
  const command = mac ? press.metaKey : press.ctrlKey;
  // The other command key is none that keys can be written with.
  if (mac ? press.ctrlKey : press.metaKey) return { kind: "taken" };
  const strong = command || press.altKey;
  // With Alt held, a digit types something else on macOS.
  const digit = press.altKey ? /^Digit(\d)$/.exec(press.code)?.[1] : undefined;
  const name = digit ?? NAMES[press.key] ?? press.key;
  const isNamed = NAMED.test(name);
  if (!isNamed && Array.from(name).length !== 1) return { kind: "taken" };
  const isFunction = /^F\d/.test(name);
  // A bare character works only outside text fields; a bare named key has a meaning everywhere.
  if (!strong && ((isNamed && !isFunction) || (everywhere && !isFunction))) return { kind: "taken" };
  const bare = !strong && !isNamed;
  // Within the window, these count with Shift and without it: one keyboard needs it, another does not.
  const shiftless = bare || (!everywhere && (name === "Plus" || name === "Minus"));
  const held = [command && "Ctrl", press.altKey && "Alt", press.shiftKey && !shiftless && "Shift"].filter((one) => one !== false);
  const key = bare || isNamed ? name : name.toUpperCase();
  return { kind: "keys", keys: [...held, key].join("+") };
}
