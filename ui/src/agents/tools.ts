/** The tools of a view as rows of a table, those that are withheld among them, and a filter. */
import type { AgentView, MemberName, Policy, Report, ToolHints, ToolName } from "../bridge/bindings";

export interface ToolRow {
  readonly key: string;
  readonly member: MemberName;
  readonly tool: ToolName;
  /** Its name for agents; `null` where they do not get it. */
  readonly name: string | null;
  readonly policy: Policy;
  readonly policyFrom: string;
  readonly hints: ToolHints;
  /** Why agents do not get it. */
  readonly withheld: Report | null;
}

export const keyOfRow = ({ key }: ToolRow): string => key;

export function rowsOf({ tools, withheld }: Pick<AgentView, "tools" | "withheld">): readonly ToolRow[] {
  const given = tools.map((one): ToolRow => ({ ...one, key: `${one.member}/${one.tool}`, withheld: null }));
  const kept = withheld.map(({ report, ...one }): ToolRow => ({ ...one, key: `${one.member}/${one.tool}`, name: null, withheld: report }));
  return [...given, ...kept];
}

export const KINDS = ["any", "read-only", "changes", "destructive"] as const;
export type Kind = (typeof KINDS)[number];

/** What a table is narrowed to. */
export interface ToolFilter {
  readonly text: string;
  readonly member: MemberName | null;
  readonly policy: Policy | null;
  readonly kind: Kind;
}

export const EVERY_TOOL: ToolFilter = { text: "", member: null, policy: null, kind: "any" };

export function isOfKind({ readOnly, destructive }: ToolHints, kind: Kind): boolean {
  switch (kind) {
    case "any":
      return true;
    case "read-only":
      return readOnly === true;
    case "changes":
      return readOnly !== true;
    case "destructive":
      return readOnly !== true && destructive === true;
  }
}

export function filtered(rows: readonly ToolRow[], { text, member, policy, kind }: ToolFilter): readonly ToolRow[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return rows.filter((row) => {
    if (member !== null && row.member !== member) return false;
    if (policy !== null && row.policy !== policy) return false;
    if (!isOfKind(row.hints, kind)) return false;
    const name = `${row.member} ${row.tool} ${row.name ?? ""}`.toLowerCase();
    return words.every((word) => name.includes(word));
  });
}
