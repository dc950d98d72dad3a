import { it } from "vitest";
import { TOOLS, prove } from "../testing/corpus";
it("p", async () => { console.log(await prove("p", TOOLS.filter((t)=>["update-team-channel","firecrawl_parse","kubectl_logs","n8n_autofix_workflow","list_incident_workflows","download_figma_images"].includes(t.tool) ))); }, 300_000);
