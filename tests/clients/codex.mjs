/** Codex, which asks through OpenAI's Responses API. */

import path from "node:path";

import { checkAgent } from "./agents.mjs";

export const codex = (place) =>
  checkAgent(place, {
    named: "Codex",
    client: "codex",
    prefix: "mcp__guild_hall__",
    result: (text) => text.replace(/^Wall time: .*\nOutput:\n?/, ""),
    command,
  });

function command({ modules, node, model }) {
  const provider = { name: "stand-in", base_url: `${model}/v1`, wire_api: "responses" };
  const settings = {
    model: "stand-in",
    model_provider: "stand_in",
    ...Object.fromEntries(Object.entries(provider).map(([key, value]) => [`model_providers.stand_in.${key}`, value])),
    // Without it, `exec` refuses tools that are not marked as read-only.
    "mcp_servers.guild-hall.default_tools_approval_mode": "approve",
    "analytics.enabled": false,
    check_for_update_on_startup: false,
  };
  const args = [
    path.join(modules, "node_modules/@openai/codex/bin/codex.js"),
    "exec",
    // Makes Codex report an error if the exported entry has a key that it does not know.
    "--strict-config",
    "--skip-git-repo-check",
    "--ephemeral",
    ...Object.entries(settings).flatMap(([key, value]) => ["--config", `${key}=${JSON.stringify(value)}`]),
    "Add two and three.",
  ];
  return { program: node, args };
}
