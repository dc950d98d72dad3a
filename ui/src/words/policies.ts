import type { ToolClass } from "../bridge/bindings";

interface ClassWords {
  readonly word: string;
  /** Its tools. */
  readonly tools: string;
  readonly says: string;
}

const CLASSES: Record<ToolClass, ClassWords> = {
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

const inProfile = (profile: string | null) => (profile === null ? "the profile" : `profile ${profile}`);

/** The catalogue of all tools, and the policies of agents. */
export const words = {
  classes: CLASSES,
  reasons: {
    rule: (kind: ToolClass) => `rule for ${CLASSES[kind].tools}`,
    ruleOf: (kind: ToolClass, profile: string | null) => `rule for ${CLASSES[kind].tools} of ${inProfile(profile)}`,
  },

  asRulesAndManifest: "as the rules and the manifest say",
};
