/** A panel that shows a tool's schemas or documentation. */

import type { ToolDetail } from "../../ipc/bindings";
import { number } from "../../lib/format";
import { draftFromJson, toEditableText } from "../form/model/json";
import { Sheet } from "../../components/Sheet";

/** Maximum characters shown. Rendering a schema of 1 MiB would block the window. */
const TEXT_MAX = 200_000;

function pretty(json: string): string {
  const text = toEditableText(draftFromJson(json));
  return text.length > TEXT_MAX ? `${text.slice(0, TEXT_MAX)}\n… ${number(text.length - TEXT_MAX)} more characters` : text;
}

function JsonText({ title, json }: { title: string; json: string }) {
  return (
    <section className="pt-2">
      <h3 className="text-sm font-semibold text-faint">{title}</h3>
      {/* The text is focusable, so that the keyboard can scroll it. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <pre tabIndex={0} aria-label={title} className="overflow-x-auto font-mono text-sm whitespace-pre-wrap [overflow-wrap:anywhere]">
        {pretty(json)}
      </pre>
    </section>
  );
}

/** A panel beside the tool's page with the schemas or the documentation that the server provides. */
export function ToolSheet({ tool, shows, onClose }: { tool: ToolDetail; shows: "schema" | "docs"; onClose: () => void }) {
  return (
    <Sheet title={shows === "schema" ? "Schema" : "Documentation"} onClose={onClose}>
      <div className="px-4 pb-4">
        {shows === "schema" ? (
          <>
            <JsonText title="Input schema" json={tool.inputSchema} />
            {tool.outputSchema !== null && <JsonText title="Output schema" json={tool.outputSchema} />}
          </>
        ) : (
          <>
            {tool.summary.title !== null && <h3 className="pt-3 font-semibold">{tool.summary.title}</h3>}
            <p className="pt-3 whitespace-pre-wrap [overflow-wrap:anywhere]">
              {tool.description === "" ? "The server provides no description." : tool.description}
            </p>
            <JsonText title="Definition" json={tool.raw} />
          </>
        )}
      </div>
    </Sheet>
  );
}
