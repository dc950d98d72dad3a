/** What the server said of a tool, to read: its schemas and its words. */

import type { ToolDetail } from "../../bridge/bindings";
import { number } from "../../words/format";
import { draftFromJson, toEditableText } from "../model/json";

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

export function SchemaTab({ tool }: { tool: ToolDetail }) {
  return (
    <>
      <JsonText title="Input schema" json={tool.inputSchema} />
      {tool.outputSchema !== null && <JsonText title="Output schema" json={tool.outputSchema} />}
    </>
  );
}

export function DocsTab({ tool }: { tool: ToolDetail }) {
  return (
    <>
      {tool.summary.title !== null && <h3 className="pt-2 font-semibold">{tool.summary.title}</h3>}
      <p className="pt-2 whitespace-pre-wrap [overflow-wrap:anywhere]">
        {tool.description === "" ? "The server says nothing about this tool." : tool.description}
      </p>
      <JsonText title="As the server sent it" json={tool.raw} />
    </>
  );
}
