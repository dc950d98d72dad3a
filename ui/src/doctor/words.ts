import type { Check, Examination, Finding, Verdict } from "../bridge/bindings";

/** The kinds of things that are looked at, in the report's order. */
export const CHECKS: readonly { check: Check; title: string }[] = [
  { check: "login-shell", title: "Login shell" },
  { check: "program", title: "Programs" },
  { check: "member", title: "Members' commands" },
  { check: "keychain", title: "Secrets" },
  { check: "ports", title: "Ports" },
  { check: "folders", title: "Folders" },
  { check: "disk", title: "Disk" },
  { check: "processes", title: "Processes" },
];

export interface VerdictFace {
  shape: string;
  word: string;
  colour: string;
}

const FACES: Record<Verdict, VerdictFace> = {
  fine: { shape: "●", word: "Fine", colour: "text-ok" },
  note: { shape: "○", word: "Note", colour: "text-dim" },
  warning: { shape: "▲", word: "Warning", colour: "text-warn" },
  problem: { shape: "✕", word: "Problem", colour: "text-bad" },
};

export function verdictFace(verdict: Verdict): VerdictFace {
  return FACES[verdict];
}

/** What was found, in a few words. */
export function sumUp({ findings, cancelled }: Examination): string {
  return cancelled ? `Cancelled before all was looked at. ${sumOf(findings, "No problem was found till then.")}` : sumOf(findings, "Nothing keeps members from working.");
}

function sumOf(findings: readonly Finding[], none: string): string {
  const count = (verdict: Verdict) => findings.filter((finding) => finding.verdict === verdict).length;
  const [problems, warnings] = [count("problem"), count("warning")];
  if (problems + warnings === 0) return none;
  const parts = [
    problems > 0 && `${problems} ${problems === 1 ? "problem" : "problems"}`,
    warnings > 0 && `${warnings} ${warnings === 1 ? "warning" : "warnings"}`,
  ];
  return `${parts.filter(Boolean).join(", ")}.`;
}

/** The report as plain text, for a bug report. */
export function asText(findings: readonly Finding[]): string {
  return CHECKS.flatMap(({ check, title }) => {
    const own = findings.filter((finding) => finding.check === check);
    if (own.length === 0) return [];
    const lines = own.flatMap(({ subject, verdict, found, details, advice }) => [
      `  ${FACES[verdict].word}: ${subject}: ${found}`,
      ...details.map((detail) => `      ${detail}`),
      ...(advice === "" ? [] : [`    To do: ${advice}`]),
    ]);
    return [title, ...lines];
  }).join("\n");
}
