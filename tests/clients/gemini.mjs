/** Gemini CLI, which asks through Google's generateContent API. */

import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";

import { checkAgent } from "./agents.mjs";

export const gemini = (place) =>
  checkAgent(place, {
    named: "Gemini CLI",
    client: "gemini-cli",
    prefix: "mcp_guild-hall_",
    result: (text) => text.replace(/^<untrusted_context>\n([^]*)\n<\/untrusted_context>$/, "$1"),
    command,
  });

function command({ modules, node, home, model }) {
  const settings = {
    security: { auth: { selectedType: "gemini-api-key" } },
    general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
    privacy: { usageStatisticsEnabled: false },
  };
  const file = path.join(home, ".gemini/settings.json");
  mkdirSync(path.dirname(file), { recursive: true });
  // The export adds its entry to this file.
  writeFileSync(file, JSON.stringify(settings));
  const env = {
    GEMINI_API_KEY: "no-key",
    GOOGLE_GEMINI_BASE_URL: model,
    GEMINI_CLI_NO_RELAUNCH: "true",
    GEMINI_CLI_TRUST_WORKSPACE: "true",
  };
  const program = path.join(modules, "node_modules/@google/gemini-cli/bundle/gemini.js");
  const args = [program, "--yolo", "--model", "gemini-2.5-flash", "--prompt", "Add two and three."];
  return { program: node, args, env };
}
