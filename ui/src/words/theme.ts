/** How themes look and what they are called. */

export type Theme = "system" | "light" | "dark";

const FACES: Record<Theme, { shape: string; word: string }> = {
  system: { shape: "◐", word: "system" },
  light: { shape: "○", word: "light" },
  dark: { shape: "●", word: "dark" },
};

export function themeFace(theme: Theme): { shape: string; word: string } {
  return FACES[theme];
}
