/**
 * The default shortcuts of actions. Other code never hard-codes a shortcut but looks it up by action. The script
 * of the first paint imports this file, so the file must not import the actions.
 */

/**
 * Default shortcuts by action id, such as `Ctrl+Shift+R`. On macOS, Cmd replaces Ctrl. A shortcut without a
 * modifier key is ignored in text fields.
 */
const USUAL = {
  palette: "Ctrl+K",
  tools: "Ctrl+P",
  search: "/",
  keys: "Ctrl+Shift+/",
  help: "F1",
  run: "Ctrl+Enter",
  "send-anyway": "Ctrl+Shift+Enter",
  json: "Ctrl+E",
  "save-call": "Ctrl+S",
  "copy-as": "Ctrl+Shift+C",
  cancel: "Ctrl+.",
  "restart-member": "Ctrl+Shift+R",
  "answer-question": "Ctrl+Shift+A",
  agents: "Ctrl+Shift+G",
  "decide-approval": "Ctrl+Shift+D",
  settings: "Ctrl+,",
  regions: "F6",
  back: "Alt+ArrowLeft",
  forward: "Alt+ArrowRight",
  "tab-1": "Alt+1",
  "tab-2": "Alt+2",
  "tab-3": "Alt+3",
  "tab-4": "Alt+4",
  roster: "Ctrl+B",
  dock: "Ctrl+J",
  "zoom-in": "Ctrl+Plus",
  "zoom-out": "Ctrl+Minus",
  "zoom-reset": "Ctrl+0",
} as const;

/** An action with a default shortcut. */
export type KeyedAction = keyof typeof USUAL;

/** The user's shortcuts by action id. An empty string removes the action's default shortcut. */
export type OwnKeys = Readonly<Partial<Record<string, string>>>;

export const NO_OWN_KEYS: OwnKeys = {};

export const USUAL_KEYS: Readonly<Partial<Record<string, string>>> = USUAL;
/** Additional shortcuts of actions. They can't be customized. */
export const SECOND_KEYS: Readonly<Partial<Record<string, string>>> = { keys: "?" };

/** The shortcut of an action; `undefined` if the user removed it. */
export function keysOf(action: KeyedAction, own: OwnKeys): string | undefined {
  return (own[action] ?? USUAL[action]) || undefined;
}

/** Shortcuts that work only while a certain part of the window has the focus. Users can't change them. */
export const PART_KEYS = {
  leave: "Esc",
  runFromField: "Enter",
  fieldActions: "F2",
  rename: "F2",
  remove: "Delete",
  chooseAll: "Ctrl+A",
  undo: "Ctrl+Z",
  find: "Ctrl+F",
  itemUp: "Alt+ArrowUp",
  itemDown: "Alt+ArrowDown",
  onwards: "Enter",
} as const;
