/** The tools of a view as rows of a table. */
import type { AgentTool } from "../bridge/bindings";

/** A tool that an agent gets. */
export type ToolRow = AgentTool & { readonly key: string };

export const keyOfRow = ({ key }: ToolRow): string => key;

export function rowsOf(tools: readonly AgentTool[]): readonly ToolRow[] {
  return tools.map((one) => ({ ...one, key: `${one.member}/${one.tool}` }));
}
