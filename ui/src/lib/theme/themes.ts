/** The themes, and where the chosen one is saved. */

/** The user's choice. */
export type Theme = "system" | "light" | "dark" | "contrast-light" | "contrast-dark";

/** The look of the page: its `data-theme` and `data-contrast`, which theme.css reads. */
export interface Look {
  theme: "light" | "dark";
  contrast: "normal" | "more";
}

/** In the order of the theme menu. */
export const THEMES: readonly Theme[] = ["system", "light", "dark", "contrast-light", "contrast-dark"];

const KEY = "guild-hall.theme";

/** The choice that was kept. It is a bare word, because public/theme.js reads it too. */
export function keptTheme(): Theme {
  try {
    const choice = localStorage.getItem(KEY);
    return THEMES.find((theme) => theme === choice) ?? "system";
  } catch {
    return "system";
  }
}

export function keepTheme(choice: Theme): void {
  try {
    if (choice === "system") localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, choice);
  } catch {
    // Storage may be switched off; the choice then lasts as long as the window.
  }
}
