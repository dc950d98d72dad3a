/** States of the system check for the catalog of UI states. */
import type { Finding } from "../../../ipc/bindings";
import { mockFinding } from "../../../ipc/mock/doctor";
import { mockMember, mockView } from "../../../ipc/mock/members";
import type { State } from "../../../testing/state";
import { runSystemCheck } from "./examination";

export const FOUND: readonly Finding[] = [
  mockFinding({ check: "login-shell", kind: "shell-answered", subject: "/bin/zsh", found: "It answered in 212 ms; 3 variables differ. Members get them.", details: ["LANG", "NVM_DIR", "PATH=/home/me/.nvm/bin:/usr/bin:/bin"] }),
  mockFinding({ check: "program", kind: "program-answered", subject: "node", found: "v22.11.0 at /home/me/.nvm/bin/node" }),
  mockFinding({ check: "program", kind: "program-missing", subject: "bun", verdict: "note", found: "It was not found on the PATH.", advice: "Install Bun (https://bun.sh)." }),
  mockFinding({ check: "program", kind: "program-silent", subject: "docker", verdict: "warning", found: "/usr/bin/docker did not return its version within 5 s and was stopped.", details: ["used by anvil"], advice: "Run `docker --version` in a terminal to see what it waits for." }),
  mockFinding({ check: "member", kind: "command-missing", subject: "forge", verdict: "problem", found: "The command `uvx` was not found.", details: ["looked in /usr/local/bin", "looked in /usr/bin"], advice: "`uvx` comes with uv: install that, or write the full path of `uvx` as the manifest's `command`.", member: "forge" }),
  mockFinding({ check: "keychain", kind: "secret-missing", subject: "FORGE_TOKEN", verdict: "warning", found: "It has no value.", advice: "Set it: `guildhall secret set FORGE_TOKEN`.", member: "forge" }),
  mockFinding({ check: "ports", kind: "gateway-reached", subject: "gateway", found: "Agents reach it at http://127.0.0.1:19999/mcp." }),
  mockFinding({ check: "disk", kind: "room", subject: "room", found: "80 GiB are free for /home/me/.local/share/guild-hall." }),
];

const members = () => [mockMember(mockView("forge"), [])];

export const DOCTOR_STATES: readonly State[] = [
  {
    name: "doctor",
    options: () => ({ members: members() }),
    arrive: (stores, bridge) => {
      bridge.doctor.findings = [...FOUND];
      runSystemCheck(stores);
    },
    shows: /1 problem, 2 warnings/,
    contrast: true,
  },
  {
    name: "doctor-looking",
    options: () => ({ members: members() }),
    arrive: (stores, bridge) => {
      bridge.doctor.findings = [...FOUND];
      bridge.doctor.hangsAfter = 3;
      runSystemCheck(stores);
    },
    shows: /3 of 8/,
  },
  { name: "doctor-linked", options: () => ({ members: members() }), arrive: (stores) => stores.navigation.openDoctor(), shows: /Changes nothing/ },
  { name: "doctor-fine", options: () => ({ members: members() }), arrive: (stores) => runSystemCheck(stores), shows: /No problems found/ },
  {
    name: "doctor-refused",
    options: () => ({ refusing: { doctor: { code: "shutting-down", message: "Guild Hall is closing.", hint: "", member: null } } }),
    arrive: (stores) => runSystemCheck(stores),
    shows: /is closing/,
  },
  {
    name: "doctor-narrow",
    options: () => ({ members: members() }),
    arrive: (stores, bridge) => {
      bridge.doctor.findings = [...FOUND];
      runSystemCheck(stores);
    },
    shows: /1 problem/,
    width: 480,
  },
  {
    name: "member-command-missing",
    options: () => ({
      members: [mockMember(mockView("forge", { status: "error", freshness: "unknown", error: { code: "command-not-found", message: "The command `uvx` was not found. Looked in: /usr/bin, /bin.", hint: "`uvx` comes with uv: install that.", member: "forge" } }), [])],
    }),
    arrive: (stores) => stores.navigation.openMember("forge"),
    shows: /comes with uv/,
  },
];
