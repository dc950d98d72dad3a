/** The icons of actions in the palette. An action without an icon has the icon of its group. */
import { THEMES } from "../../lib/theme/themes";
import type { Action } from "../../lib/actions";
import type { SignName } from "../../components/signs";
import { themeFace } from "../../components/themeFace";

const OF_GROUPS: Readonly<Record<Action["group"], SignName>> = { Find: "search", Tool: "wrench", Member: "plug", "Go to": "forward", Window: "sliders" };

const OF_ACTIONS: Readonly<Partial<Record<string, SignName>>> = {
  keys: "keyboard",
  bundle: "download",
  help: "question",
  guide: "question",
  codes: "question",
  about: "info",
  "first-steps": "home",
  tour: "forward",
  run: "play",
  "send-anyway": "play",
  json: "braces",
  "save-call": "bookmark",
  "copy-as": "copy",
  cancel: "ban",
  "restart-member": "retry",
  "start-member": "play",
  "stop-member": "stop",
  "refresh-member": "refresh",
  "refresh-all": "refresh",
  log: "terminal",
  "edit-member": "pencil",
  "rename-member": "pencil",
  "duplicate-member": "copy",
  "enable-member": "pause",
  "remove-member": "trash",
  dock: "history",
  "saved-calls": "bookmark",
  doctor: "stethoscope",
  found: "import",
  adding: "plus",
  discovery: "wrench",
  secrets: "key",
  settings: "settings",
  back: "back",
  welcome: "home",
  roster: "menu",
  ...Object.fromEntries(THEMES.map((theme) => [`theme-${theme}`, themeFace(theme).shape])),
};

export function actionIcon({ id, group }: Action): SignName {
  return OF_ACTIONS[id] ?? (id.startsWith("agents") ? "bot" : OF_GROUPS[group]);
}
