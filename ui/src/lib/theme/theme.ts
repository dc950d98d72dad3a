/** The theme: the system's, or one that was chosen. public/theme.js applies it before the page. */
import { Store } from "../store";
import { keepTheme, keptTheme, type Look, type Theme } from "./themes";

const LIGHT = "(prefers-color-scheme: light)";
const CONTRAST = "(prefers-contrast: more)";

export const theme = new Store<Theme>(keptTheme());

/** The look of a choice on this system; the same as in public/theme.js. */
export function lookOf(choice: Theme): Look {
  const light = choice === "system" ? matchMedia(LIGHT).matches : choice.endsWith("light");
  const more = choice.startsWith("contrast") || matchMedia(CONTRAST).matches;
  return { theme: light ? "light" : "dark", contrast: more ? "more" : "normal" };
}

function apply(): void {
  Object.assign(document.documentElement.dataset, lookOf(theme.get()));
}

export function setTheme(choice: Theme): void {
  theme.set(choice);
  keepTheme(choice);
  apply();
}

/** Follows the system while the window is open. The answer ends that. */
export function followSystem(): () => void {
  const queries = [LIGHT, CONTRAST].map((query) => matchMedia(query));
  for (const query of queries) query.addEventListener("change", apply);
  return () => {
    for (const query of queries) query.removeEventListener("change", apply);
  };
}
