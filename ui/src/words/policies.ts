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

  /** These members, and so many more, are governed by what their servers say. */
  noProof: (members: readonly string[], more: number) =>
    `Rules go by what servers say, which is no proof. ${members.join(", ")}${more > 0 ? ` and ${number(more)} more` : ""} may say something else tomorrow, and agents would get it at once.`,

  orders,

  asRulesAndManifest: "as the rules and the manifest say",
  keys,
  toolCount: tools,

  kinds: { native: "native", mcp: "mcp", prompt: "prompt", resource: "resource", template: "template" },
  toolsAre,
  claimWhy: {
    doubted: "Its server says that it only reads, but its name or description says that it changes something. It counts as a tool that changes something until you confirm that it only reads.",
    confirmed: "You confirmed that it only reads, as its server says. Press to take that back.",
  },
};
