/** Claude Code. */

import { existsSync } from "node:fs";
import path from "node:path";

import { checkAgent } from "./agents.mjs";

const PREFIX = "mcp__guild-hall__";

export const claude = (place) =>
  checkAgent(place, { named: "Claude Code", client: "claude-code", prefix: PREFIX, command });

function command({ modules, home, model }) {
  const config = path.join(home, ".claude.json");
  const args = ["--print", "--bare", "--strict-mcp-config", "--mcp-config", config];
  args.push("--allowedTools", PREFIX.slice(0, -2), "--", "Add two and three.");
  const env = {
    ANTHROPIC_BASE_URL: model,
    ANTHROPIC_API_KEY: "no-key",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_AUTOUPDATER: "1",
    DISABLE_ERROR_REPORTING: "1",
    DISABLE_TELEMETRY: "1",
    // Without this, the model would have to search for tools instead of receiving all of them at once.
    ENABLE_TOOL_SEARCH: "false",
  };
  return { program: binary(modules), args, env };
}

/** The program, which npm installs in a package for this system. */
function binary(modules) {
  const libc = existsSync("/lib/ld-musl-x86_64.so.1") ? "-musl" : "";
  const name = `claude-code-${process.platform}-${process.arch}${libc}`;
  return path.join(modules, "node_modules/@anthropic-ai", name, "claude");
}
