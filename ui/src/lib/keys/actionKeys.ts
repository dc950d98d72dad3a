/**
 * The default shortcuts of actions, which no other file names: code that shows or handles a shortcut looks it
 * up by action. The first paint needs this file too, so it does not import the actions.
 */

/** Such as `Ctrl+Shift+R`; on macOS Cmd replaces Ctrl. A bare character works only outside text fields. */
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

/** The user's own shortcuts; an empty text removes an action's shortcut. */
export type OwnKeys = Readonly<Partial<Record<string, string>>>;

/** No customized shortcuts. */
export const NO_OWN_KEYS: OwnKeys = {};

export const USUAL_KEYS: Readonly<Partial<Record<string, string>>> = USUAL;
/** A second key for the same. */
export const SECOND_KEYS: Readonly<Partial<Record<string, string>>> = { keys: "?" };

/** The keys of an action; `undefined` where a person took them away. */
export function keysOf(action: KeyedAction, own: OwnKeys): string | undefined {
  return (own[action] ?? USUAL[action]) || undefined;
}

/** Shortcuts of a part of the window while it has the focus. Users can't change them. */
export const PART_KEYS = {
  leave: "Esc",
  runFromField: "Enter",
  fieldActions: "F2",
  rename: "F2",
  remove: "Delete",
  chooseAll: "Ctrl+A",
  undo: "Ctrl+Z",
  itemUp: "Alt+ArrowUp",
  itemDown: "Alt+ArrowDown",
  onwards: "Enter",
} as const;
