/**
 * Computes the rows of the roster from the members, their tool lists, and the expanded members. All functions are
 * pure.
 */
import type { MemberName, MemberView, Report, ToolSummary } from "../../ipc/bindings";
import type { ToolList } from "../../lib/hall/hall";
import { counted } from "../../lib/format";

interface Place {
  /** The identity of the row. It does not change when other rows are added or removed. */
  id: string;
  /** The 1-based position among the siblings. `siblings` is the number of siblings. */
  position: number;
  siblings: number;
}

export interface MemberRow extends Place {
  kind: "member";
  view: MemberView;
  expanded: boolean;
}
export interface ToolRow extends Place {
  kind: "tool";
  tool: ToolSummary;
  /** Whether the tool list is outdated. */
  faded: boolean;
  /** Whether the row shows the name of its member, as in search results. */
  named: boolean;
}
interface ErrorReportRow extends Place {
  kind: "trouble";
  member: MemberName;
  report: Report;
}
interface NoteRow extends Place {
  kind: "note";
  member: MemberName;
  text: string;
}
export type Row = MemberRow | ToolRow | ErrorReportRow | NoteRow;

export function memberRowId(member: MemberName): string {
  return `member ${member}`;
}

export function toolRowId(member: MemberName, tool: string): string {
  return `tool ${member} ${tool}`;
}

export function treeRows(
  members: readonly MemberView[],
  expanded: ReadonlySet<MemberName>,
  lists: ReadonlyMap<MemberName, ToolList>,
): Row[] {
  const rows: Row[] = [];
  members.forEach((view, index) => {
    const open = expanded.has(view.name);
    rows.push({
      kind: "member",
      id: memberRowId(view.name),
      position: index + 1,
      siblings: members.length,
      view,
      expanded: open,
    });
    if (open) addChildren(rows, view, lists.get(view.name));
  });
  return rows;
}

/** The rows for search results: tools of all members, each with the name of its member. */
export function foundRows(tools: readonly ToolSummary[], byName: ReadonlyMap<MemberName, MemberView>): Row[] {
  return tools.map((tool, index) => ({
    kind: "tool",
    id: toolRowId(tool.member, tool.name),
    position: index + 1,
    siblings: tools.length,
    tool,
    faded: byName.get(tool.member)?.freshness === "outdated",
    named: true,
  }));
}

function addChildren(rows: Row[], view: MemberView, list: ToolList | undefined): void {
  const tools = list?.tools?.tools ?? [];
  const note = noteFor(view, list);
  const siblings = tools.length + (view.error ? 1 : 0) + (note ? 1 : 0);
  let position = 0;
  const place = (id: string): Place => {
    position += 1;
    return { id, position, siblings };
  };
  if (view.error) {
    rows.push({
      kind: "trouble",
      ...place(`trouble ${view.name}`),
      member: view.name,
      report: view.error,
    });
  }
  const faded = view.freshness === "outdated";
  for (const tool of tools) {
    rows.push({ kind: "tool", ...place(toolRowId(view.name, tool.name)), tool, faded, named: false });
  }
  if (note) rows.push({ kind: "note", ...place(`note ${view.name}`), member: view.name, text: note });
}

function noteFor(view: MemberView, list: ToolList | undefined): string | null {
  if (list?.error) return `The list could not be read: ${list.error.message}`;
  if (!list?.tools) return view.tools > 0 ? "Reading the list…" : null;
  const { tools, problems } = list.tools;
  if (problems.length > 0) return `${counted(problems.length, { one: "entry was", other: "entries were" })} left out of the list`;
  if (tools.length > 0) return null;
  if (view.freshness === "live") return "It has no tools. Its log says more.";
  return view.status === "disabled" || view.error ? "Its tools are not known." : "Its tools are read when it is ready.";
}

/** The index of the cursor's row. If that row was removed, the index of the row that took its position. */
export function indexOfRow(rows: readonly Row[], id: string | null, lastIndex: number): number {
  if (rows.length === 0) return -1;
  const found = id === null ? -1 : rows.findIndex((row) => row.id === id);
  return found >= 0 ? found : Math.min(Math.max(0, lastIndex), rows.length - 1);
}

/** The next row after `from` whose name begins with the typed letters. Wraps at the end; -1 if no row matches. */
export function typeAhead(rows: readonly Row[], from: number, letters: string): number {
  const wanted = letters.toLowerCase();
  // A single letter moves to the next match. With more letters, the current row may still match.
  const first = letters.length === 1 ? 1 : 0;
  for (let step = first; step < rows.length + first; step += 1) {
    const index = (from + step) % rows.length;
    const row = rows[index];
    const label = row?.kind === "member" ? row.view.name : row?.kind === "tool" ? row.tool.name : "";
    if (label.toLowerCase().startsWith(wanted)) return index;
  }
  return -1;
}

/** The row of the member to which a row belongs. */
export function parentIndex(rows: readonly Row[], index: number): number {
  for (let at = index; at >= 0; at -= 1) {
    if (rows[at]?.kind === "member") return at;
  }
  return -1;
}
