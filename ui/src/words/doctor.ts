import type { Check, Verdict } from "../bridge/bindings";
import { counted, number } from "./format";

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
  machine: "This machine",
  checks,
  verdicts,
  whatItDoes:
    "The check looks at what the login shell answered, and asks the login shell where that was not done; it asks Node, Python, Docker and their like for their versions, and looks at members' commands, secrets, ports, folders, the disk and processes. It leaves nothing behind.",
  lookingBegins: "Looking at this machine…",
  looking: "Looking…",
  lookingAt: (done: number, of: number) => `Looking… ${number(done)} of ${number(of)}`,
  looked: (ago: string) => `Looked ${ago}.`,
  checkAgain: "Check again",
  cancel: "Cancel",
  report: "the report",

  fine: "Nothing keeps members from working.",
  fineTillThen: "No problem was found till then.",
  cancelled: "Cancelled before all was looked at.",
  /** Either may be none, but not both. */
  found: (problems: number, warnings: number) => {
    const parts = [
      ...(problems > 0 ? [counted(problems, { one: "problem", other: "problems" })] : []),
      ...(warnings > 0 ? [counted(warnings, { one: "warning", other: "warnings" })] : []),
    ];
    return `${parts.join(", ")}.`;
  },
  toDo: (advice: string) => `To do: ${advice}`,
  moreOf: (subject: string) => `More of ${subject}`,

  checkMachine: "Check this machine",
  setSecret: (name: string) => `Set ${name}…`,
  openSecrets: "Open the secrets",
  openMember: (member: string) => `Open ${member}`,
};
