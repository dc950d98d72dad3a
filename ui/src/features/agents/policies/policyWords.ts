/** Labels of tool kinds, of the sources of a permission, and of discovery states. */
import type { DiscoveryStatus, PolicyReason, PolicyRules, ProfileName, ToolClass } from "../../../ipc/bindings";
import type { SignName } from "../../../components/signs";
import type { Face } from "../../../components/status";

export const REASON_KIND_WORDS: Record<ReasonKind, string> = {
  hand: "This tool",
  rule: "Rule",
  manifest: "plugin.json",
  default: "Default",
};

interface ClassWords {
  readonly icon: SignName;
  /** The field of `PolicyRules` with the policy for this kind. */
  readonly rule: keyof PolicyRules;
  readonly word: string;
  /** The title of the kind's rule, such as "Read-only tools". */
  readonly tools: string;
  readonly says: string;
}

export const CLASS_WORDS: Readonly<Record<ToolClass, ClassWords>> = {
  "read-only": { icon: "eye", rule: "readOnly", word: "Read-only", tools: "Read-only tools", says: "Reported as changing nothing" },
  changing: { icon: "pencil", rule: "changing", word: "Changes data", tools: "Tools that change data", says: "Reported as changing data without deleting any" },
  destructive: {
    icon: "warning",
    rule: "destructive",
    word: "Destructive",
    tools: "Destructive tools",
    says: "May delete or overwrite data, or have unclear labels",
  },
  unsaid: { icon: "question", rule: "unsaid", word: "Unlabeled", tools: "Tools without hints", says: "Not labeled by the server" },
  "open-world": {
    icon: "globe",
    rule: "openWorld",
    word: "External",
    tools: "External access",
    says: "Reach systems outside the server. The stricter of this rule and the other one applies.",
  },
};

export const TOOL_CLASSES: readonly ToolClass[] = ["read-only", "changing", "destructive", "open-world", "unsaid"];
export const NO_RULES: PolicyRules = { readOnly: null, changing: null, destructive: null, unsaid: null, openWorld: null };

/** The sources of a permission that the table can be filtered by. */
export const REASON_KINDS = ["hand", "rule", "manifest", "default"] as const;
export type ReasonKind = (typeof REASON_KINDS)[number];

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
      return "Default";
    case "manifest":
      return "plugin.json";
    case "rule":
      return `${CLASS_WORDS[reason.class].word} rule`;
    case "hand":
      return "This tool";
    case "profile-rule":
      return `${CLASS_WORDS[reason.class].word} rule (${profile ?? "profile"})`;
    case "profile-hand":
      return `This tool (${profile ?? "profile"})`;
  }
}

/** Whether the permission was set for this one tool in the shown scope, and is not inherited. */
export function isOwn(reason: PolicyReason, profile: ProfileName | null): boolean {
  return reason.kind === (profile === null ? "hand" : "profile-hand");
}

export const DISCOVERY_FACES: Readonly<Record<DiscoveryStatus, Face>> = {
  never: { shape: "ring", word: "Not loaded", colour: "text-faint" },
  discovering: { shape: "dashes", word: "Loading", colour: "text-warn" },
  success: { shape: "dot", word: "Loaded", colour: "text-ok" },
  failed: { shape: "cross", word: "Not readable", colour: "text-bad" },
};

