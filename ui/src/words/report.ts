/**
 * What a report of the engine says in the window's language. The engine speaks English: there its own
 * words stand. In another language each code has a sentence, and the engine's words are its detail.
 */
import type { Code, Report } from "../bridge/bindings";
import { language, type Language } from "./chosen";
import { de } from "./de/errors";

/** What a code means, and what to do about it; the second may be empty. */
export interface CodeWords {
  readonly what: string;
  readonly hint: string;
}

/** A code without words does not compile. */
const CODES: Record<Exclude<Language, "en">, Record<Code, CodeWords>> = { de };

interface ReportWords extends CodeWords {
  /** The engine's own words, in English, where they are not what stands above. */
  readonly detail: string | null;
}

export function reportWords(report: Pick<Report, "code" | "message" | "hint">): ReportWords {
  const { message, hint } = report;
  return language === "en" ? { what: message, hint, detail: null } : { ...CODES[language][report.code], detail: message };
}

/** The same as one text, for a title and for what is read aloud. */
export function reportLine(report: Pick<Report, "code" | "message" | "hint">): string {
  const { what, detail } = reportWords(report);
  return detail === null ? what : `${what} (${detail})`;
}
