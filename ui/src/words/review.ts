import type { BreakageKind, LaunchTrust, SchemaEffect, ToolDifference } from "../bridge/bindings";
import { counted, number, plural } from "./format";

const tools = (count: number) => counted(count, { one: "tool", other: "tools" });

const trust: Record<LaunchTrust, string> = {
  own: "yours: its manifest was written in the members' folder",
  accepted: "accepted",
  unreviewed: "not accepted: it is never started",
  changed: "changed since it was accepted: it is not started",
};

const differences: Record<ToolDifference, string> = { same: "as it was", new: "new", changed: "changed", gone: "gone" };

const effects: Record<SchemaEffect, string> = { breaking: "breaking", widened: "widened", words: "words only" };

/** `{name}` is what no longer works, `{what}` why. */
const breaks: Record<BreakageKind, string> = {
  "saved-call": "the saved call {name}: {what}",
  policy: "the policy {name}: {what}",
  profile: "the profile {name}: {what}",
};

/** How many tools a change of a list concerns. */
interface ChangeCounts {
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
  readonly more: number;
}

export const words = {
  trust,

  /** `withheld` of them reach no agent. */
  notAsAccepted: (count: number, withheld: number) =>
    `${tools(count)} ${plural(count, { one: "is", other: "are" })} not as accepted; agents get ${withheld === 0 ? "all that is there" : `${tools(withheld)} less`}.`,

  differences,
  effects,
  breaks,

  changed: ({ added, changed, removed, more }: ChangeCounts) => {
    const parts = [
      ...(added > 0 ? [`+ ${counted(added, { one: "new tool", other: "new tools" })}`] : []),
      ...(changed > 0 ? [`Δ ${number(changed)} changed`] : []),
      ...(removed > 0 ? [`− ${number(removed)} gone`] : []),
      ...(more > 0 ? [`and ${number(more)} more`] : []),
    ];
    return parts.length === 0 ? "another order" : parts.join(", ");
  },
};
