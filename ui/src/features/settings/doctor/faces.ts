import type { Check, Examination, Finding, Verdict } from "../../../ipc/bindings";
import { counted } from "../../../lib/format";
import type { Face } from "../../../components/status";

export const CHECK_WORDS: Record<Check, string> = {
  "login-shell": "Login shell",
  program: "Programs",
  member: "Member commands",
  keychain: "Secrets",
  ports: "Ports",
  folders: "Folders",
  disk: "Disk",
  processes: "Processes",
};

const foundWords = (problems: number, warnings: number) => {
  const parts = [
    ...(problems > 0 ? [counted(problems, { one: "problem", other: "problems" })] : []),
    ...(warnings > 0 ? [counted(warnings, { one: "warning", other: "warnings" })] : []),
  ];
  return parts.join(", ");
};

/** The kinds of checks in the order of the report. */
export const CHECKS: readonly Check[] = ["login-shell", "program", "member", "keychain", "ports", "folders", "disk", "processes"];

export const VERDICT_FACES: Record<Verdict, Face> = {
  fine: { shape: "dot", word: "Fine", colour: "text-ok" },
  note: { shape: "ring", word: "Note", colour: "text-dim" },
  warning: { shape: "warning", word: "Warning", colour: "text-warn" },
  problem: { shape: "cross", word: "Problem", colour: "text-bad" },
};

/** A summary such as `1 problem, 2 warnings`. */
export function sumUp({ findings, cancelled }: Examination): string {
  return cancelled ? `Cancelled. ${sumOf(findings, "No problems so far")}` : sumOf(findings, "No problems found");
}

function sumOf(findings: readonly Finding[], none: string): string {
  const count = (verdict: Verdict) => findings.filter((finding) => finding.verdict === verdict).length;
  const [problems, warnings] = [count("problem"), count("warning")];
  return problems + warnings === 0 ? none : foundWords(problems, warnings);
}

/** The report as plain text for a bug report. */
export function asText(findings: readonly Finding[]): string {
  return CHECKS.flatMap((check) => {
    const own = findings.filter((finding) => finding.check === check);
    if (own.length === 0) return [];
    const lines = own.flatMap(({ subject, verdict, found, details, advice }) => [
      `  ${VERDICT_FACES[verdict].word}: ${subject}: ${found}`,
      ...details.map((detail) => `      ${detail}`),
      ...(advice === "" ? [] : [`    Fix: ${advice}`]),
    ]);
    return [CHECK_WORDS[check], ...lines];
  }).join("\n");
}
