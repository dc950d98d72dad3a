import type { MemberView } from "../../ipc/bindings";

/** Whether a call of one of the member's tools may succeed as things are. */
export function isUsable(view: MemberView): boolean {
  return view.error === null && view.tools > 0 && view.status !== "disabled" && view.status !== "unreviewed";
}

/** Whether the member's tools are not known yet, and will be by themselves. */
export function isComing({ status, freshness, tools, error }: MemberView): boolean {
  if (tools > 0) return false;
  // A server that answers is listed next.
  const isUnlisted = freshness === "unknown" && (status === "stopped" || (status === "ready" && error === null));
  return status === "starting" || isUnlisted;
}

/** Members that can be called come first, then those with the fewest tools to look through. */
export function byUse(members: readonly MemberView[]): readonly MemberView[] {
  const rank = (view: MemberView) => (isUsable(view) ? (view.status === "ready" ? 0 : 1) : 2) * 100_000 + view.tools;
  return [...members].sort((a, b) => rank(a) - rank(b));
}
