import { counted, plural } from "../chosen";
import type { en } from "../en/replay";

export const de: typeof en = {
  typeSecrets: "Die Geheimnisse sind nicht aufbewahrt: im Formular öffnen und dort eintragen",
  notKept: (places, more) => {
    const all = more > 0 ? `${places.join(", ")} und ${counted(more, { one: "weiteren Stelle", other: "weiteren Stellen" })}` : places.join(", ");
    return plural(places.length + more, {
      one: `Nicht aufbewahrt, weil geheim, und neu einzutragen ist der Wert von ${all}.`,
      other: `Nicht aufbewahrt, weil geheim, und neu einzutragen sind die Werte von ${all}.`,
    });
  },
  argumentsChanged: "Die Argumente des Werkzeugs haben sich seit jenem Aufruf geändert; was nicht mehr passt, zeigt sich beim Ausführen.",
  notJson: "Die Argumente jenes Aufrufs waren kein JSON; sie stehen da, wie sie gesendet wurden.",
  heldElse: "Im Formular stand etwas anderes.",
  putBack: "Eingegebenes zurückholen",
  earlierDraft: "Ein früherer Entwurf ist aufbewahrt.",
  useDraft: "Verwenden",
  putNotesAway: "Hinweise schließen",
};
