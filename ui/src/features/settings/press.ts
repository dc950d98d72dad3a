/** Converts a key press to the notation of shortcuts in the settings, such as `Ctrl+Shift+K`. */
import { onMac } from "../../lib/keys/keyLabel";

type Press = Pick<KeyboardEvent, "key" | "code" | "ctrlKey" | "metaKey" | "shiftKey" | "altKey">;

/** Modifier keys and other keys that don't form a shortcut alone. */
const HOLDING: ReadonlySet<string> = new Set(["Control", "Shift", "Alt", "AltGraph", "Meta", "OS", "CapsLock", "Fn", "Dead", "Process", "Unidentified"]);
/** Keys whose name in a shortcut differs from `KeyboardEvent.key`. */
const NAMES: Readonly<Record<string, string>> = { "+": "Plus", "-": "Minus", " ": "Space", "=": "Plus", _: "Minus" };
/** Matches the valid names of keys that don't type a character, and of keys that have a name in shortcuts. */
const NAMED = /^(Enter|Space|Backspace|Delete|Insert|Home|End|PageUp|PageDown|Arrow(Up|Down|Left|Right)|Plus|Minus|F([1-9]|1[0-2]))$/;

type Pressed =
  /** Only modifier keys are pressed so far. */
  | { readonly kind: "holding" }
  | { readonly kind: "keys"; readonly keys: string }
  /** The keys have a fixed meaning or can't be written as a shortcut. */
  | { readonly kind: "taken" };

/**
 * Converts a key press to a shortcut. `everywhere` means that the shortcut also works while another program has
 * the focus.
 */
export function pressed(press: Press, everywhere = false, mac = onMac): Pressed {
  if (HOLDING.has(press.key)) return { kind: "holding" };
  const command = mac ? press.metaKey : press.ctrlKey;
  // Shortcuts can't contain the Control key on macOS, or the Windows key elsewhere.
  if (mac ? press.ctrlKey : press.metaKey) return { kind: "taken" };
  const strong = command || press.altKey;
  // On macOS, a digit pressed with Alt types another character, so the key code is used.
  const digit = press.altKey ? /^Digit(\d)$/.exec(press.code)?.[1] : undefined;
  const name = digit ?? NAMES[press.key] ?? press.key;
  const isNamed = NAMED.test(name);
  if (!isNamed && Array.from(name).length !== 1) return { kind: "taken" };
  const isFunction = /^F\d/.test(name);
  // Without Ctrl or Alt, a shortcut can be a character or a function key; if `everywhere` is set, only a function key.
  if (!strong && ((isNamed && !isFunction) || (everywhere && !isFunction))) return { kind: "taken" };
  const bare = !strong && !isNamed;
  // Shift is ignored in shortcuts of the window, because some keyboards need Shift to type the key and others do not.
  const shiftless = bare || (!everywhere && (name === "Plus" || name === "Minus"));
  const held = [command && "Ctrl", press.altKey && "Alt", press.shiftKey && !shiftless && "Shift"].filter((one) => one !== false);
  const key = bare || isNamed ? name : name.toUpperCase();
  return { kind: "keys", keys: [...held, key].join("+") };
}
