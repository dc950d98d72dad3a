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
  /** The engine's own words and hint, in English and each in its line, where they are not what stands above. */
  readonly detail: string | null;
}

export function reportWords(report: Pick<Report, "code" | "message" | "hint">): ReportWords {
  const { message, hint } = report;
  if (language === "en") return { what: message, hint, detail: null };
  return { ...CODES[language][report.code], detail: hint === "" ? message : `${message}\n${hint}` };
}

/** The same as one text, for a title and for what is read aloud. */
export function reportLine(report: Pick<Report, "code" | "message" | "hint">): string {
  return language === "en" ? report.message : `${CODES[language][report.code].what} (${report.message})`;
}
