import type { Check, Verdict } from "../bridge/bindings";
import { counted } from "./format";

const checks: Record<Check, string> = {
  "login-shell": "Login shell",
  program: "Programs",
  member: "Members' commands",
  keychain: "Secrets",
  ports: "Ports",
  folders: "Folders",
  disk: "Disk",
  processes: "Processes",
};

const verdicts: Record<Verdict, string> = { fine: "Fine", note: "Note", warning: "Warning", problem: "Problem" };

export const words = {
  checks,
  verdicts,

  /** Either may be none, but not both. */
  found: (problems: number, warnings: number) => {
    const parts = [
      ...(problems > 0 ? [counted(problems, { one: "problem", other: "problems" })] : []),
      ...(warnings > 0 ? [counted(warnings, { one: "warning", other: "warnings" })] : []),
    ];
    return `${parts.join(", ")}.`;
  },
};
