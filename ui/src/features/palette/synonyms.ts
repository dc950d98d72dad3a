/** Additional search words for actions, by action id. They are terms that users know from other programs. */
export const SYNONYMS: Readonly<Partial<Record<string, readonly string[]>>> = {
  welcome: ["welcome", "start", "dashboard"],
  found: ["import", "found", "discover", "other apps"],
  adding: ["install", "add", "new", "registry", "paste"],
  "agents-connect": ["connect", "client", "token"],
  "theme-dark": ["dark mode"],
  "theme-light": ["light mode"],
  log: ["logs", "stderr", "output"],
  keys: ["shortcuts", "keyboard", "hotkeys"],
  bundle: ["bug", "report", "diagnostics"],
  doctor: ["doctor", "health", "check"],
  settings: ["preferences", "options", "configuration"],
  secrets: ["password", "environment"],
  guide: ["documentation", "manual"],
  "refresh-all": ["reload", "update tools"],
};
