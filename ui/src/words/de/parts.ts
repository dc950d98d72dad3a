import type { en } from "../en/parts";

export const de: typeof en = {
  reading: (what) => `Wird gelesen: ${what} …`,
  copy: "Kopieren",
  copyWhat: (what) => `${what} kopieren`,
  copied: "Kopiert",
  notCopied: "Nicht kopiert",
  saidOf: (what, said) => `${what}: ${said}`,
  beingDone: "Ist in Arbeit",
  divider: "Ziehen oder die Pfeiltasten benutzen. Doppelklick oder Eingabe setzt zurück.",
};
