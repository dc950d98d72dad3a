/** The icon and the display name of each theme. */
import type { Theme } from "../lib/theme/themes";
import type { FirstSignName } from "./firstSigns";

const FACES: Record<Theme, { shape: FirstSignName; word: string }> = {
  system: { shape: "sunMoon", word: "System" },
  light: { shape: "sun", word: "Light" },
  dark: { shape: "moon", word: "Dark" },
  "contrast-light": { shape: "contrast", word: "High contrast, light" },
  "contrast-dark": { shape: "contrastDark", word: "High contrast, dark" },
};

export function themeFace(theme: Theme): { shape: FirstSignName; word: string } {
  return FACES[theme];
}
