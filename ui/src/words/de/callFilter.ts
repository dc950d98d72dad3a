import type { Caller, OutcomeKind } from "../../bridge/bindings";
import type { Span } from "../../history/filter";
import type { en } from "../en/callFilter";

const outcomes: Record<OutcomeKind, string> = { ok: "ok", "tool-error": "Werkzeugfehler", failed: "fehlgeschlagen", cancelled: "abgebrochen" };

const callers: Record<Caller, string> = { window: "eigene", "command-line": "Kommandozeile", agent: "Agenten", example: "Beispiele" };

const spans: Record<Span["kind"], string> = { any: "beliebige Zeit", today: "heute", week: "letzte 7 Tage", range: "von … bis …" };

export const de: typeof en = {
  outcomes,
  timeLimit: "Zeitgrenze",
  callers,
  someAgent: "ein Agent",

  calls: "Aufrufe",
  search: "Aufrufe durchsuchen",
  searchSample: "Wörter aus Argumenten, Fehlern, Ergebnissen …",
  member: "Mitglied",
  anyMember: "jedes Mitglied",
  tool: "Werkzeug",
  anyTool: "jedes Werkzeug",
  outcome: "Ausgang",
  anyOutcome: "jeder Ausgang",
  caller: "Herkunft",
  anybody: "jede Herkunft",
  time: "Zeit",
  spans,
  from: "Von",
  to: "Bis einschließlich",
  endsBeforeItBegins: "Der Zeitraum endet vor seinem Anfang.",
  clear: "Filter zurücksetzen",
};
