import type { McpbChange } from "../../bridge/bindings";
import { counted } from "../chosen";
import type { en } from "../en/mcpb";

const changes: Record<McpbChange, string> = { same: "dieselbe Datei", newer: "neuer", older: "älter", other: "eine andere Datei" };

const mayHaveMore = (more: boolean) => (more ? "; weitere können im Betrieb hinzukommen" : "");

export const de: typeof en = {
  whatTheyAre:
    "Ein MCPB-Bündel (.mcpb, früher .dxt) enthält einen Server und alles, was er braucht, in einer Datei. Es lässt sich auswählen oder auf dem Fenster ablegen und zeigt dann, was darin ist und was ausgeführt würde. Vor der Installation wird nichts geschrieben, und nichts davon läuft, bevor es angenommen ist.",
  bundle: "Bündel",
  unusable: (path) => `${path} ist nicht verwendbar.`,
  lookingInto: (path) => `${path} wird angesehen …`,
  otherBeingInstalled: "Die Installation eines Bündels läuft",
  choose: "Bündel auswählen",
  path: "Pfad des Bündels",
  pathSample: "/home/ich/Downloads/server.mcpb",
  lookInto: "Ansehen",
  chooseFile: "Bündel auswählen …",

  byteUnits: ["Byte", "KiB", "MiB", "GiB"],
  size: (files, packed, unpacked) => `${counted(files, { one: "Datei", other: "Dateien" })}, ${packed}; entpackt ${unpacked}`,
  more: "Mehr",
  by: (author) => `von ${author}`,
  runsOn: (system, runtimes) => `Läuft auf ${system}${runtimes.length > 0 ? ` (${runtimes.join(", ")})` : ""}.`,
  signatureUnchecked: "Es hat eine Signatur, die nicht geprüft wird.",
  suspicious: "Verdächtiges",
  inTool: (tool) => `im Werkzeug ${tool}`,
  saysTools: (count, more) => `Nach eigener Angabe ${counted(count, { one: "Werkzeug", other: "Werkzeuge" })}${mayHaveMore(more)}`,
  saysPrompts: (count, more) => `Nach eigener Angabe ${counted(count, { one: "Prompt", other: "Prompts" })}${mayHaveMore(more)}`,

  changes,
  isInstalled: "Dieses Bündel ist installiert",
  putInPlaceOf: "Version {version} des Mitglieds {member} ersetzen; dieses Bündel ist {how}",
  makeAnother: "Ein weiteres Mitglied daraus machen",
  putInPlace: (version) => `${version} ersetzen`,
  unpacksOnly:
    "Die Installation entpackt das Bündel in den Ordner des Mitglieds. Es startet, sobald auf der folgenden Seite angenommen ist, was es ausführt.",
  replaced: (member, version, before) => `${member} hat jetzt ${version} statt ${before}. Es läuft, sobald angenommen ist, was es ausführt.`,
  reading: "Wird gelesen …",
  unpackedOf: (done, of) => `${done} von ${of} entpackt`,
  unpacked: "Entpackt",
  cancel: "Abbrechen",
};
