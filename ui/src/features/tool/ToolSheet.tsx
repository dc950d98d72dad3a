/** A tool's schemas and documentation, to read. */

import type { ToolDetail } from "../../ipc/bindings";
import { number } from "../../lib/format";
import { draftFromJson, toEditableText } from "../form/model/json";
import { Sheet } from "../../components/Sheet";

/** Longer text is cut: a schema of a mebibyte would hold up the window. */
const TEXT_MAX = 200_000;

function pretty(json: string): string {
  const text = toEditableText(draftFromJson(json));
  return text.length > TEXT_MAX ? `${text.slice(0, TEXT_MAX)}\n… ${number(text.length - TEXT_MAX)} more characters` : text;
}

function JsonText({ title, json }: { title: string; json: string }) {
  return (
    <section className="pt-2">
      <h3 className="text-sm font-semibold text-faint">{title}</h3>
      {/* Scrolled by the keyboard too. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <pre tabIndex={0} aria-label={title} className="overflow-x-auto font-mono text-sm whitespace-pre-wrap [overflow-wrap:anywhere]">
        {pretty(json)}
      </pre>
    </section>
  );
}

/** The tool as its server describes it, beside its page. */
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
