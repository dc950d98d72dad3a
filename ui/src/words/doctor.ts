import type { Check } from "../bridge/bindings";

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

export const words = {
  checks,
};
