/** The recording `smithy`: an engine with one small and one empty member, and requests for agents' tool lists. */
import { readFileSync } from "node:fs";
import { fileURLToPath, URL } from "node:url";

const tools = JSON.parse(readFileSync(fileURLToPath(new URL("../members.json", import.meta.url)), "utf8"));
const member = { args: ["--stdio", "--tools-json", "./tools.json"] };

export const smithy = { members: { smithy: member, empty: member }, tools };

const all = { kind: "all" };
const of = (member) => ({ kind: "member", member });

export async function askSmithy(engine, ask) {
  await engine.until(async () => (await engine.ask("roster", {})).members.every(({ freshness }) => freshness === "live"));
  const view = (endpoint, listing, label) => ask("view_as_agent", { endpoint, listing }, label);
  const find = (task, label) => ask("find_for_task", { endpoint: all, task, limit: 20 }, label);
  const set = (tool, policy) => engine.ask("set_tool_policies", { profile: null, tools: [{ member: "smithy", tool, policy }] });
  await ask("roster", {});
  await ask("member_tools", { member: "smithy" });
  for (const { name } of tools.smithy) await ask("tool_detail", { member: "smithy", tool: name });
  await ask("catalog", { profile: null });
  await view(all, null);
  await view(all, "search");
  await view(of("smithy"), null);
  await view(of("empty"), null, "nothing");
  await find("melt the piece");
  await find("zeppelin");
  await set("melt", "deny");
  await view(all, null, "denied");
  await ask("catalog", { profile: null }, "denied");
  await set("melt", "ask");
  await set("חישול", "deny");
  await view(all, null, "policies");
}
