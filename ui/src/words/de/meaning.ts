import { number } from "../chosen";
import type { en } from "../en/meaning";

export const de: typeof en = {
  title: "Suche nach Bedeutung",
  about:
    "Freiwillig. Ein Embeddings-Endpunkt eigener Wahl (Ollama, LM Studio, llama.cpp oder ein anderer) hilft Agenten, Werkzeuge nach Bedeutung zu finden. Er erhält Namen und Beschreibungen der Werkzeuge und jede Aufgabe, nach der ein Agent sucht. Ohne ihn wird nichts gesendet, und Wörter allein entscheiden.",
  address: "Adresse",
  addressNote: "Sie endet meist auf /v1, etwa http://127.0.0.1:11434/v1. Adressen anderer Rechner beginnen mit https://.",
  model: "Modell",
  modelNote: "Sein Name beim Endpunkt, etwa all-minilm.",
  key: "Schlüssel",
  keyNote: "Leer lassen oder einen Verweis eingeben: ${secret:embeddings-key} oder ${env:NAME}. „Schlüssel speichern“ legt den Schlüssel selbst dort ab, wo Geheimnisse liegen.",
  needsBoth: "Adresse und Modell eingeben",
  keyIsReference: "Der Schlüssel ist ein Verweis wie ${secret:embeddings-key}. „Schlüssel speichern“ bewahrt den Schlüssel selbst auf.",
  busy: "Der Endpunkt wird gerade gefragt oder gespeichert",
  save: "Endpunkt speichern",
  test: "Endpunkt prüfen",
  testing: "Wird geprüft…",
  storeKey: "Schlüssel speichern…",
  remove: "Endpunkt entfernen",
  isSaved: "Der Endpunkt ist gespeichert.",
  isRemoved: "Der Endpunkt ist entfernt: Wörter allein entscheiden.",
  works: (dimensions, ms) => `Der Endpunkt funktioniert: Vektoren aus ${number(dimensions)} Zahlen, Antwort nach ${number(ms)} ms.`,
};
