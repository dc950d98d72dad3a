/**
 * What a report of the engine says in the window's language. In English its own words stand; in another
 * language those that it brings in that. Where it brings none, its code has a sentence, and the English
 * words are the detail below.
 */
import type { Code, ListProblem, Report } from "../bridge/bindings";
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

type Told = Pick<Report, "code" | "message" | "hint" | "german">;

export function reportWords(report: Told): ReportWords {
  const { message, hint, german } = report;
  if (language === "en") return { what: message, hint, detail: null };
  if (german) return { what: german.message, hint: german.hint, detail: null };
  return { ...CODES[language][report.code], detail: hint === "" ? message : `${message}\n${hint}` };
}

/** The same as one text, for a title and for what is read aloud. */
export function reportLine(report: Told): string {
  if (language === "en") return report.message;
  return report.german?.message ?? `${CODES[language][report.code].what} (${report.message})`;
}

/**
 * Why an entry of a list was left out, or a list could not be read. Lists that were kept by older programs
 * say it in English alone.
 */
export function problemWords({ reason, german }: Pick<ListProblem, "reason" | "german">): string {
  return language === "en" ? reason : (german ?? reason);
}
