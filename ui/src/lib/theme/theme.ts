/** Applies the user's theme or the system's theme. public/theme.js applies it before the first paint. */
import { Store } from "../store";
import { keepTheme, keptTheme, type Look, type Theme } from "./themes";

const LIGHT = "(prefers-color-scheme: light)";
const CONTRAST = "(prefers-contrast: more)";

export const theme = new Store<Theme>(keptTheme());

/** The page attributes for a chosen theme on this system. public/theme.js computes the same attributes. */
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

/** Applies changes of the system's theme and contrast settings. Returns the function that stops this. */
export function followSystem(): () => void {
  const queries = [LIGHT, CONTRAST].map((query) => matchMedia(query));
  for (const query of queries) query.addEventListener("change", apply);
  return () => {
    for (const query of queries) query.removeEventListener("change", apply);
  };
}
