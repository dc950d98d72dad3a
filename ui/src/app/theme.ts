/** The theme: the system's, or one that was chosen. public/theme.js applies it before the page. */
import { Store } from "../hall/store";
import type { Theme } from "../words/theme";

const KEY = "guild-hall.theme";

function stored(): Theme {
  try {
    const choice = localStorage.getItem(KEY);
    return choice === "light" || choice === "dark" ? choice : "system";
  } catch {
    return "system";
  }
}

export const theme = new Store<Theme>(stored());

export function setTheme(choice: Theme): void {
  theme.set(choice);
  if (choice === "system") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = choice;
  try {
    if (choice === "system") localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, choice);
  } catch {
    // Storage may be switched off; the choice then lasts as long as the window.
  }
}

const NEXT: Record<Theme, Theme> = { system: "light", light: "dark", dark: "system" };

export function nextTheme(): void {
  setTheme(NEXT[theme.get()]);
}
