import type { DiscoveryStatus, ToolClass } from "../bridge/bindings";
import type { Order } from "../agents/policies/catalogRows";
import type { ReasonKind } from "../agents/policies/policyWords";
import { counted, number } from "./format";

const tools = (count: number) => counted(count, { one: "tool", other: "tools" });

interface ClassWords {
  readonly word: string;
  /** Its tools. */
  readonly tools: string;
  readonly says: string;
}

const classes: Record<ToolClass, ClassWords> = {
  "read-only": { word: "read-only", tools: "read-only tools", says: "Their servers say that they change nothing." },
  changing: { word: "changing", tools: "changing tools", says: "They change things and destroy nothing." },
  destructive: {
    word: "destructive",
    tools: "destructive tools",
    says: "They may destroy something. Also those that say they change things and not how, or that contradict themselves.",
  },
  unsaid: { word: "says nothing", tools: "tools that say nothing of it", says: "Their servers say neither." },
  "open-world": {
    word: "open-world",
    tools: "open-world tools",
    says: "They say that they reach things outside their servers. Beside the rule for its kind, the stricter one holds.",
  },
};

const reasonKinds: Record<ReasonKind, string> = {
  hand: "set by hand",
  rule: "by a rule",
  manifest: "by the manifest",
  default: "by the default",
};

const discovery: Record<DiscoveryStatus, string> = {
  never: "never read",
  discovering: "being read",
  success: "read",
  failed: "could not be read",
};

const toolsAre: Record<DiscoveryStatus, string> = {
  never: "tools never read",
  discovering: "tools being read",
  success: "tools read",
  failed: "tools could not be read",
};

const orders: Record<Order, string> = {
  name: "by member and tool",
  policy: "the strictest first",
  kind: "the riskiest kind first",
  newest: "the last read first",
};

const inProfile = (profile: string | null) => (profile === null ? "the profile" : `profile ${profile}`);
const keys = "On a row, A allows, S asks a person first, D denies, and M does as the rules and the manifest say.";

/** The catalogue of all tools, and the policies of agents. */
export const words = {
  classes,
  reasonKinds,
  discovery,
  reasons: {
    default: "the default",
    manifest: "the manifest",
    hand: "set by hand",
    handIn: (profile: string | null) => `set by hand in ${inProfile(profile)}`,
    rule: (kind: ToolClass) => `rule for ${classes[kind].tools}`,
    ruleOf: (kind: ToolClass, profile: string | null) => `rule for ${classes[kind].tools} of ${inProfile(profile)}`,
  },
  newUnaccepted: "It is new and nobody has accepted it.",
  notAsAccepted: "It is not as it was when it was accepted.",

  policies: "Policies",
  everywhere: "that hold everywhere",
  ofProfile: (profile: string) => `of profile ${profile}`,
  orderEverywhere: "What is set by hand comes before the rules, these before the manifests; a rule never widens a manifest's deny.",
  orderInProfile: "What the profile says of a tool comes before its rules. It can only be stricter than what holds everywhere.",
  theTools: "the tools",
  noMemberHasTools: "No member has any tool. Add… at the head of the roster brings members in, Refresh beside it reads their tools.",
  profileChoosesNone: "The profile chooses no tool. The tab Profiles says which members and tools it has.",
  noneFits: "No tool fits.",
  clearFilters: "Clear filters",
  takenBack: "The last change is taken back.",
  /** How many tools are shown, of how many, where that is not all of them; and members whose tools are not known. */
  shown: (shown: number, all: number, isAll: boolean, unread: number) =>
    `${isAll ? "" : `${number(shown)} of `}${tools(all)}${unread === 0 ? "" : ` and ${counted(unread, { one: "unread member", other: "unread members" })}`}`,

  rules: "Rules",
  forKinds: "for kinds of tools",
  noRule: "no rule",
  usual: "Read-only allowed, destructive asks…",
  savedOnRequest: "Nothing is saved before you say so",
  discard: "Discard",
  saveRules: "Save rules",
  beingSaved: "It is being saved",
  theRules: "the rules",
  rulesOf: (profile: string) => `the rules of profile ${profile}`,
  rulesSaved: "The rules are saved.",
  nothingWouldChange: "No tool's policy would change.",
  /** Of `looser` ones agents may do more than now. */
  wouldChange: (count: number, looser: number) =>
    `${tools(count)} would change.${looser === 0 ? "" : ` Of ${looser === 1 ? "one" : number(looser)} agents may do more than now.`}`,
  whatWouldChange: "What would change",
  becomes: "becomes",
  andMore: (count: number) => `and ${number(count)} more`,
  /** These members, and so many more, are governed by what their servers say. */
  noProof: (members: readonly string[], more: number) =>
    `Rules go by what servers say, which is no proof. ${members.join(", ")}${more > 0 ? ` and ${number(more)} more` : ""} may say something else tomorrow, and agents would get it at once.`,
  holdBack: "Hold their changes back",

  tools: "Tools",
  searchWords: "Words of name and description",
  searchSample: "Words of name and description…",
  member: "Member",
  anyMember: "any member",
  policy: "Policy",
  anyPolicy: "any policy",
  decidedBy: "Decided by",
  byAnything: "decided by anything",
  serverSays: "What the server says of it",
  anyKind: "any kind",
  state: "State",
  anyState: "any state",
  withheld: "withheld",
  order: "Order",
  orders,

  chosenTools: "The chosen tools",
  chosen: (count: number) => `${tools(count)} chosen`,
  asRulesSay: "as the rules say",
  chooseNone: "Choose none",
  undo: (what: string) => `Undo ${what}`,
  undoKey: (key: string) => `${key} in the table`,

  policyOf: (tool: string) => `Policy of ${tool}`,
  asRulesAndManifest: "as the rules and the manifest say",
  keys,
  tableKeys: (all: string, undo: string) => `Enter opens the tool. Space chooses a row, Shift with the arrows several, ${all} all; Escape none. ${keys} With rows chosen it holds for all of them. ${undo} takes the last change back. R reads the tools of a member again, and where that failed, E tells what the error means. C confirms that a tool only reads.`,
  toolOf: (tool: string, member: string) => `${tool} of ${member}`,
  toolCount: tools,
  /** `which` tools have `policy` now. */
  isNow: (which: string, profile: string | null, policy: string) => `${which}${profile === null ? "" : ` in profile ${profile}`}: ${policy}`,

  table: "All tools and their policies",
  tool: "Tool",
  kind: "Kind",
  kinds: { native: "native", mcp: "mcp", prompt: "prompt", resource: "resource", template: "template" },
  hints: "Hints",
  guildHall: "Guild Hall",
  ownTools: "Guild Hall's own",
  toolsAre,
  memberGone: "There is no such member now",
  readAgain: (key: string) => `Read them again (${key})`,
  read: "Read",
  tryAgain: "Try again",
  readAgo: (ago: string) => `read ${ago}`,
  stateAt: (state: string, moment: string) => `${state} ${moment}`,
  confirmReadOnly: "Confirm read-only (C)",
  readOnlyConfirmed: "Read-only confirmed",
  claimWhy: {
    doubted: "Its server says that it only reads, but its name or description says that it changes something. It counts as a tool that changes something until you confirm that it only reads.",
    confirmed: "You confirmed that it only reads, as its server says. Press to take that back.",
  },
  claimIs: (tool: string, confirmed: boolean) => (confirmed ? `${tool} counts as read-only.` : `${tool} no longer counts as read-only.`),
};
