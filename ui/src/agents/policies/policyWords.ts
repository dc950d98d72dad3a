/** How kinds of tools, and what decided a policy, are called. */
import type { DiscoveryStatus, PolicyReason, PolicyRules, ProfileName, ToolClass } from "../../bridge/bindings";
import type { Face } from "../../words/status";

const REASON_KIND_WORDS: Record<ReasonKind, string> = {
  hand: "set by hand",
  rule: "by a rule",
  manifest: "by the manifest",
  default: "by the default",
};

interface ClassWords {
  /** The field of the rules that is about it. */
  readonly rule: keyof PolicyRules;
  readonly word: string;
  /** Its tools. */
  readonly tools: string;
  readonly says: string;
}

const CLASSES: Record<ToolClass, Omit<ClassWords, "rule">> = {
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

const RULES: Readonly<Record<ToolClass, keyof PolicyRules>> = {
  "read-only": "readOnly",
  changing: "changing",
  destructive: "destructive",
  unsaid: "unsaid",
  "open-world": "openWorld",
};

export const TOOL_CLASSES: readonly ToolClass[] = ["read-only", "changing", "destructive", "unsaid", "open-world"];
export const NO_RULES: PolicyRules = { readOnly: null, changing: null, destructive: null, unsaid: null, openWorld: null };

export function classWords(toolClass: ToolClass): ClassWords {
  return { rule: RULES[toolClass], ...CLASSES[toolClass] };
}

/** What decided a policy, as a filter knows it. */
export const REASON_KINDS = ["hand", "rule", "manifest", "default"] as const;
export type ReasonKind = (typeof REASON_KINDS)[number];

export function reasonKindWord(kind: ReasonKind): string {
  return REASON_KIND_WORDS[kind];
}

export function reasonKind({ kind }: PolicyReason): ReasonKind {
  switch (kind) {
    case "hand":
    case "profile-hand":
      return "hand";
    case "rule":
    case "profile-rule":
      return "rule";
    default:
      return kind;
  }
}

export function reasonWords(reason: PolicyReason, profile: ProfileName | null): string {
  switch (reason.kind) {
    case "default":
      return "the default";
    case "manifest":
      return "the manifest";
    case "rule":
      return `rule for ${CLASSES[reason.class].tools}`;
    case "hand":
      return "set by hand";
    case "profile-rule":
      return `rule for ${CLASSES[reason.class].tools} of ${profile === null ? "the profile" : `profile ${profile}`}`;
    case "profile-hand":
      return `set by hand in ${profile === null ? "the profile" : `profile ${profile}`}`;
  }
}

/** Whether it was set by hand where one looks, so that it can be taken back there. */
export function isOwn(reason: PolicyReason, profile: ProfileName | null): boolean {
  return reason.kind === (profile === null ? "hand" : "profile-hand");
}

const DISCOVERY: Readonly<Record<DiscoveryStatus, Face>> = {
  never: { shape: "ring", word: "never read", colour: "text-faint" },
  discovering: { shape: "dashes", word: "being read", colour: "text-warn" },
  success: { shape: "dot", word: "read", colour: "text-ok" },
  failed: { shape: "cross", word: "could not be read", colour: "text-bad" },
};

export function discoveryFace(status: DiscoveryStatus): Face {
  return DISCOVERY[status];
}
