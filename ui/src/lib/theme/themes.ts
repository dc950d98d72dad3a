/** The list of themes, and the local storage entry with the chosen theme. */

/** A theme that the user can choose. */
export type Theme = "system" | "light" | "dark" | "contrast-light" | "contrast-dark";

/** The values of the root element's `data-theme` and `data-contrast` attributes, which theme.css uses. */
export interface Look {
  theme: "light" | "dark";
  contrast: "normal" | "more";
}

/** All themes, in the order of the theme menu. */
export const THEMES: readonly Theme[] = ["system", "light", "dark", "contrast-light", "contrast-dark"];

const KEY = "guild-hall.theme";

/** The stored theme. It is stored as plain text instead of JSON, because public/theme.js reads it too. */
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
    // The storage may be disabled. The theme then applies until the window is closed.
  }
}
