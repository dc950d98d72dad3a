/** opencode, which asks through OpenAI's Chat Completions API. */

import path from "node:path";

import { checkAgent } from "./agents.mjs";

export async function opencode(place) {
  if (process.platform !== "linux" || process.arch !== "x64") {
    console.log("skipped opencode: package.json pins it for Linux on x64 only");
    return [];
  }
  const client = { named: "opencode", client: "opencode", prefix: "guild-hall_", listing: "search" };
  return checkAgent(place, { ...client, command });
}

function command({ modules, model }) {
  const provider = {
    npm: "@ai-sdk/openai-compatible",
    name: "stand-in",
    options: { baseURL: `${model}/v1`, apiKey: "no-key" },
    models: { "stand-in": { name: "stand-in", tool_call: true } },
  };
  const settings = {
    model: "stand_in/stand-in",
    small_model: "stand_in/stand-in",
    enabled_providers: ["stand_in"],
    provider: { stand_in: provider },
    autoupdate: false,
    share: "disabled",
  };
  const env = {
    // opencode merges these settings with the exported file.
    OPENCODE_CONFIG_CONTENT: JSON.stringify(settings),
    OPENCODE_DISABLE_AUTOUPDATE: "1",
    OPENCODE_DISABLE_DEFAULT_PLUGINS: "1",
    OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
    OPENCODE_DISABLE_MODELS_FETCH: "1",
  };
  const program = path.join(modules, "node_modules/opencode-linux-x64-baseline/bin/opencode");
  return { program, args: ["run", "Add two and three."], env };
}
