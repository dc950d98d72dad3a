/** The catalog as table rows: tools, prompts, resources and templates, and members without known tools. */
import type { Catalog, CatalogMember, CatalogTool, DiscoveryStatus, MemberName, Policy, PolicyReason, ReadOnlyClaim, Report, ToolClass, ToolHints, ToolKind, ToolName } from "../../../ipc/bindings";
import { reasonKind, type ReasonKind } from "./policyWords";

export interface CatalogRow {
  readonly key: string;
  /** The name of the member; `null` for one of Guild Hall's own tools. */
  readonly member: MemberName | null;
  /** The name of the tool, prompt, resource or template; `null` for a member without known tools. */
  readonly tool: ToolName | null;
  /** The tool's title; `null` without a title, or while its member's tool list is not loaded. */
  readonly title: string | null;
  /** The kind of tool or offer; `null` for a member without known tools. */
  readonly kind: ToolKind | null;
  readonly description: string;
  /** The permission and its source; `null` for a row without a permission. */
  readonly ruling: { readonly policy: Policy; readonly reason: PolicyReason } | null;
  readonly hints: ToolHints;
  readonly toolClass: ToolClass | null;
  /**
   * The state of a read-only label that the tool's name or description contradicts: `doubted`, or `confirmed` by the
   * user. `null` for any other tool.
   */
  readonly claim: ReadOnlyClaim | null;
  /** The reason why agents can't use the tool, regardless of its permission. */
  readonly withheld: string | null;
  readonly status: DiscoveryStatus | null;
  readonly foundAtMs: number | null;
  /** The error of the member's last tool discovery. */
  readonly failed: Report | null;
}

/** A row with a permission. */
export type GovernedRow = CatalogRow & { readonly member: MemberName; readonly tool: ToolName; readonly ruling: NonNullable<CatalogRow["ruling"]> };

export const keyOfRow = ({ key }: CatalogRow): string => key;

export function isGoverned(row: CatalogRow): row is GovernedRow {
  return row.member !== null && row.tool !== null && row.ruling !== null;
}

const NO_HINTS: ToolHints = { readOnly: null, destructive: null, idempotent: null, openWorld: null };

/** Whether a row shows a prompt, a resource, a template or a skill. */
export function isOffer({ kind }: Pick<CatalogRow, "kind">): boolean {
  return kind === "prompt" || kind === "resource" || kind === "template" || kind === "skill";
}

/** Converts the catalog to table rows. `titles` maps the key of a row to the title of its tool. */
export function rowsOf({ tools, offers, members }: Catalog, titles: ReadonlyMap<string, string> = new Map()): readonly CatalogRow[] {
  const byName = new Map(members.map((member) => [member.member, member]));
  const unknown = members.filter(({ discoveryStatus }) => discoveryStatus !== "success");
  return [...[...tools, ...offers].map((tool) => toolRow(tool, titles.get(tool.name) ?? null, byName)), ...unknown.map(memberRow)].sort(byMemberAndTool);
}

function toolRow(tool: CatalogTool, title: string | null, members: ReadonlyMap<MemberName, CatalogMember>): CatalogRow {
  const { name, description, kind, policy, policyReason, hints, mark } = tool;
  // The format is `member/tool`. A member's name has no slash, but a tool's name may have slashes.
  const slash = tool.kind === "native" ? -1 : name.indexOf("/");
  const member = slash < 0 ? null : name.slice(0, slash);
  const of = member === null ? undefined : members.get(member);
  const held = mark === "new" ? "New, needs review" : "Changed, needs review";
  const nameless = tool.withheld === null ? null : tool.withheld.message;
  return {
    key: name,
    member,
    tool: slash < 0 ? name : name.slice(slash + 1),
    title,
    kind,
    description,
    ruling: policy !== null && policyReason !== null ? { policy, reason: policyReason } : null,
    hints,
    toolClass: tool.class,
    claim: tool.readOnlyClaim,
    withheld: of?.withheld ? of.withheld.message : mark === null ? nameless : held,
    status: tool.discoveryStatus,
    foundAtMs: tool.lastDiscoveredMs,
    failed: of?.discoveryError ?? null,
  };
}

function memberRow({ member, discoveryStatus, discoveryError, lastDiscoveredMs, withheld }: CatalogMember): CatalogRow {
  return {
    key: `${member}/`,
    member,
    tool: null,
    title: null,
    kind: null,
    description: "",
    ruling: null,
    hints: NO_HINTS,
    toolClass: null,
    claim: null,
    withheld: withheld === null ? null : withheld.message,
    status: discoveryStatus,
    foundAtMs: lastDiscoveredMs,
    failed: discoveryError,
  };
}

/** The filters of the table; `null` for any value. */
export interface RowFilter {
  readonly text: string;
  readonly member: MemberName | null;
  readonly policy: Policy | null;
  readonly toolClass: ToolClass | null;
  readonly reason: ReasonKind | null;
  readonly status: DiscoveryStatus | "withheld" | null;
}

export const EVERYTHING: RowFilter = { text: "", member: null, policy: null, toolClass: null, reason: null, status: null };

export function filtered(rows: readonly CatalogRow[], filter: RowFilter): readonly CatalogRow[] {
  const sought = filter.text.toLowerCase().split(/\s+/).filter(Boolean);
  return rows.filter((row) => {
    if (filter.member !== null && row.member !== filter.member) return false;
    if (filter.policy !== null && row.ruling?.policy !== filter.policy) return false;
    if (filter.toolClass !== null && !isOf(row, filter.toolClass)) return false;
    if (filter.reason !== null && (row.ruling === null || reasonKind(row.ruling.reason) !== filter.reason)) return false;
    if (filter.status === "withheld" ? row.withheld === null : filter.status !== null && row.status !== filter.status) return false;
    const text = `${row.member ?? ""} ${row.tool ?? ""} ${row.title ?? ""} ${row.description}`.toLowerCase();
    return sought.every((word) => text.includes(word));
  });
}

function isOf({ toolClass, hints }: CatalogRow, wanted: ToolClass): boolean {
  return wanted === "open-world" ? hints.openWorld === true : toolClass === wanted;
}

export const ORDERS = ["name", "policy", "kind", "newest"] as const;
export type Order = (typeof ORDERS)[number];

const POLICY_RANK: Readonly<Record<Policy, number>> = { deny: 0, ask: 1, allow: 2 };
const CLASS_RANK: Readonly<Record<ToolClass, number>> = { destructive: 0, changing: 1, unsaid: 2, "open-world": 3, "read-only": 4 };

/** Sorts rows. Rows of equal rank stay sorted by member and tool. */
export function ordered(rows: readonly CatalogRow[], order: Order): readonly CatalogRow[] {
  if (order === "name") return rows;
  const rank = ({ ruling, toolClass, foundAtMs }: CatalogRow): number => {
    if (order === "policy") return ruling === null ? 9 : POLICY_RANK[ruling.policy];
    if (order === "kind") return toolClass === null ? 9 : CLASS_RANK[toolClass];
    return -(foundAtMs ?? 0);
  };
  return [...rows].sort((a, b) => rank(a) - rank(b));
}

/** Compares rows by member and tool. Guild Hall's own tools come last, because users rarely look for them. */
function byMemberAndTool(a: CatalogRow, b: CatalogRow): number {
  if (a.member !== b.member) return a.member === null ? 1 : b.member === null || a.member < b.member ? -1 : 1;
  const [tool, otherTool] = [a.tool ?? "", b.tool ?? ""];
  return tool < otherTool ? -1 : tool > otherTool ? 1 : 0;
}
