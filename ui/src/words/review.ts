import type { BreakageKind, LaunchTrust, SchemaEffect, ToolDifference } from "../bridge/bindings";
import { counted, number, plural } from "./format";

const tools = (count: number) => counted(count, { one: "tool", other: "tools" });
const moreTools = (count: number) => counted(count, { one: "more tool", other: "more tools" });

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
  accepted: "what was accepted",
  trust,
  /** `{when}` is `on`. */
  acceptedWhen: "accepted {when}",
  on: (date: string) => `on ${date}`,
  from: (origin: string) => `From ${origin}`,
  broughtIn: { pasted: "a text that was pasted", file: "a file", commandLine: "the command line" },

  whatRuns: "What it runs",
  runsInFull: "What it runs, in full",
  runsBeside: "What it runs, beside what was accepted",
  unreadable: "Its manifest can't be read, so nothing of it is run.",
  acceptedOn: (date: string) => `accepted on ${date}`,
  now: "now",
  none: "none",
  acceptAndStart: "Accept and start",
  beingAccepted: "It is being accepted",
  runsNothingBefore: "Nothing of it runs before. A change of it asks again.",
  memberAccepted: (member: string) => `${member} is accepted and starts.`,

  tools: "Tools",
  toolsToLookAt: "Tools to look at",
  hold: "Hold new and changed tools back from agents until you accept them",
  formsCallThem: "Your own forms call them all the same, and say so.",
  countAsAccepted: (count: number) => `Switched on, the ${tools(count)} of now ${plural(count, { one: "counts", other: "count" })} as accepted.`,
  held: (member: string) => `Changes of ${member}'s tools are held back.`,
  released: (member: string) => `Changes of ${member}'s tools reach agents.`,
  allAsAccepted: (count: number) => `All ${tools(count)} are as they were accepted.`,
  allAsAcceptedOn: (count: number, date: string) => `All ${tools(count)} are as they were accepted on ${date}.`,
  /** `withheld` of them reach no agent. */
  notAsAccepted: (count: number, withheld: number) =>
    `${tools(count)} ${plural(count, { one: "is", other: "are" })} not as accepted; agents get ${withheld === 0 ? "all that is there" : `${tools(withheld)} less`}.`,
  accept: "Accept",
  acceptOne: (tool: string) => `Accept ${tool}`,
  acceptAll: (count: number) => `Accept all ${number(count)}`,
  somethingBeingAccepted: "Something is being accepted",
  toolAccepted: (tool: string) => `${tool} is accepted.`,
  allAccepted: (member: string) => `All tools of ${member} are accepted.`,
  showMore: (count: number) => `Show ${moreTools(count)}`,
  notShown: (count: number) =>
    `${moreTools(count)} ${plural(count, { one: "is not shown; accepting all accepts it too.", other: "are not shown; accepting all accepts them too." })}`,
  nothingSuspicious: "Nothing about its tools looks suspicious.",

  differences,
  effects,
  breaks,
  suspicious: "suspicious",
  breaksCount: (count: number) => `breaks ${number(count)}`,
  suspiciousAbout: (tool: string) => `What is suspicious about ${tool}`,
  whatBreaks: (tool: string) => `What ${tool} breaks`,
  changeMeans: "What the change means",
  goneFromServer: "The server has it no more.",
  nothingMore: "There is nothing more to show.",
  showAll: "Show all of it",

  changes: "Changes of its tools",
  howToolsChanged: "how its tools changed",
  noChanges: "None yet. Each change of its tool list is kept here, with what was different.",
  earlier: "Earlier changes",
  beingRead: "They are being read",
  thisChange: "this change",
  changed: ({ added, changed, removed, more }: ChangeCounts) => {
    const parts = [
      ...(added > 0 ? [`+ ${counted(added, { one: "new tool", other: "new tools" })}`] : []),
      ...(changed > 0 ? [`Δ ${number(changed)} changed`] : []),
      ...(removed > 0 ? [`− ${number(removed)} gone`] : []),
      ...(more > 0 ? [`and ${number(more)} more`] : []),
    ];
    return parts.length === 0 ? "another order" : parts.join(", ");
  },
  toolsThen: (count: number) => `${tools(count)} then`,
  namesOnly: "What the tools said was too large to be kept; only their names are.",
  toolsOfChange: (moment: string) => `Tools of the change of ${moment}`,
};
