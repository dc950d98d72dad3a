/** How kinds of tools, and what decided a policy, are called. */
import type { DiscoveryStatus, PolicyReason, PolicyRules, ProfileName, ToolClass } from "../../bridge/bindings";
import { words } from "../../words/policies";
import type { Face } from "../../words/status";

interface ClassWords {
  /** The field of the rules that is about it. */
  readonly rule: keyof PolicyRules;
  readonly word: string;
  readonly says: string;
}

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
  return { rule: RULES[toolClass], ...words.classes[toolClass] };
}

/** What decided a policy, as a filter knows it. */
export const REASON_KINDS = ["hand", "rule", "manifest", "default"] as const;
export type ReasonKind = (typeof REASON_KINDS)[number];

export function reasonKindWord(kind: ReasonKind): string {
  return words.reasonKinds[kind];
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
  const { reasons } = words;
  switch (reason.kind) {
    case "default":
      return reasons.default;
    case "manifest":
      return reasons.manifest;
    case "rule":
      return reasons.rule(reason.class);
    case "hand":
      return reasons.hand;
    case "profile-rule":
      return reasons.ruleOf(reason.class, profile);
    case "profile-hand":
      return reasons.handIn(profile);
  }
}

/** Whether it was set by hand where one looks, so that it can be taken back there. */
export function isOwn(reason: PolicyReason, profile: ProfileName | null): boolean {
  return reason.kind === (profile === null ? "hand" : "profile-hand");
}

const DISCOVERY: Readonly<Record<DiscoveryStatus, Face>> = {
  never: { shape: "○", word: words.discovery.never, colour: "text-faint" },
  discovering: { shape: "◐", word: words.discovery.discovering, colour: "text-warn" },
  success: { shape: "●", word: words.discovery.success, colour: "text-ok" },
  failed: { shape: "✕", word: words.discovery.failed, colour: "text-bad" },
};

export function discoveryFace(status: DiscoveryStatus): Face {
  return DISCOVERY[status];
}
