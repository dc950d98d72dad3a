import type { en } from "../en/suspicions";

export const de: typeof en = {
  invisible: "Unsichtbare Zeichen",
  instruction: "Text, der sich an ein Modell richtet",
  "look-alike": "Ein Name, der einem anderen gleicht",
  shadows: "Ein Name, den ein anderes Mitglied verwendet",
};
