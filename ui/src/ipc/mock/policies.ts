/** Mocks the policies: those set for single tools and for classes of tools, and the effective ones. */
import type {
  Catalog,
  CatalogTool,
  MemberName,
  MemberView,
  Policy,
  PolicyReason,
  PolicyRules,
  Profile,
  ProfileName,
  PolicyDecision,
  ToolClass,
  ToolHints,
  ToolName,
} from "../bindings";
import type { Answers } from "../answers";
import type { MockMember, MockTool } from "./members";

export const NO_RULES: PolicyRules = { readOnly: null, changing: null, destructive: null, unsaid: null, openWorld: null };
const STRICTNESS: readonly Policy[] = ["allow", "ask", "deny"];
const FIELDS: Readonly<Record<ToolClass, keyof PolicyRules>> = {
  "read-only": "readOnly",
  changing: "changing",
  destructive: "destructive",
  unsaid: "unsaid",
  "open-world": "openWorld",
};

/** Access to the state that the policies depend on and that the gateway stores. */
interface Place {
  readonly members: () => readonly MockMember[];
  readonly profile: (name: ProfileName) => Profile;
  readonly rules: () => PolicyRules;
  readonly keepRules: (rules: PolicyRules) => void;
  readonly keepProfile: (profile: Profile) => void;
  readonly changed: () => void;
}

export class MockPolicies {
  /** The policies in the members' manifests, by `member/tool`. */
  readonly manifest = new Map<string, Policy>();
  readonly #confirmed = new Set<string>();
  /** The prompts, resources and templates of members, such as `prompt:NAME`. */
  readonly offers = new Map<MemberName, readonly ToolName[]>();
  readonly #byHand = new Map<string, Policy>();
  readonly #place: Place;

  constructor(place: Place) {
    this.#place = place;
  }

  confirm(member: MemberName, tool: ToolName, confirmed: boolean): void {
    if (confirmed) this.#confirmed.add(`${member}/${tool}`);
    else this.#confirmed.delete(`${member}/${tool}`);
  }

  allow(member: MemberName, tool: ToolName): void {
    this.#byHand.set(`${member}/${tool}`, "allow");
  }

  /** The effective policy of a tool, in a profile if one is given. */
  ruling(member: MemberName, tool: MockTool, profile: Profile | null, rules = this.#place.rules()): PolicyDecision {
    const { name, hints } = tool.summary;
    const everywhere = this.#everywhere(`${member}/${name}`, hints, rules);
    const byHand = profile?.members.find((mount) => mount.member === member)?.changes[name]?.policy ?? null;
    const rule = profile && ruleFor(profile.rules, hints);
    const own: PolicyDecision | null =
      byHand !== null ? ruled(byHand, { kind: "profile-hand" }) : rule ? ruled(rule.policy, { kind: "profile-rule", class: rule.toolClass }) : null;
    return own && strictness(own.policy) > strictness(everywhere.policy) ? own : everywhere;
  }

  readonly handlers: Answers = {
    catalog: ({ profile }) => Promise.resolve(this.#catalog(profile === null ? null : this.#place.profile(profile))),
    set_tool_policies: ({ profile, tools }) => {
      const before = tools.map(({ member, tool, policy }) => ({ member, tool, policy: this.#set(profile, member, tool, policy) }));
      this.#place.changed();
      return Promise.resolve({ before: before.reverse() });
    },
    preview_policy_rules: ({ profile: name, rules }) => {
      const now = name === null ? null : this.#place.profile(name);
      const then = now && { ...now, rules };
      const members = this.#members(now);
      const changes = members.flatMap(({ view, tools }) =>
        tools.flatMap((tool) => {
          const before = this.ruling(view.name, tool, now);
          const after = this.ruling(view.name, tool, then, name === null ? rules : undefined);
          return JSON.stringify(before) === JSON.stringify(after) ? [] : [{ member: view.name, tool: tool.summary.name, before, after }];
        }),
      );
      const governed = members.filter(({ tools }) => tools.some(({ summary }) => ruleFor(rules, summary.hints) !== null));
      const unheld = governed.filter(({ view }) => !view.trust.holds).map(({ view }) => view.name);
      return Promise.resolve({ changes: changes.slice(0, 1_000), total: changes.length, unheld });
    },
    save_policy_rules: ({ profile: name, rules }) => {
      const profile = name === null ? null : this.#place.profile(name);
      const before = profile?.rules ?? this.#place.rules();
      if (profile) this.#place.keepProfile({ ...profile, rules });
      else this.#place.keepRules(rules);
      this.#place.changed();
      return Promise.resolve(before);
    },
  };

  #set(name: ProfileName | null, member: MemberName, tool: ToolName, policy: Policy | null): Policy | null {
    const key = `${member}/${tool}`;
    if (name === null) {
      const before = this.#byHand.get(key) ?? null;
      if (policy === null) this.#byHand.delete(key);
      else this.#byHand.set(key, policy);
      return before;
    }
    const profile = this.#place.profile(name);
    const before = profile.members.find((mount) => mount.member === member)?.changes[tool];
    const change = { name: before?.name ?? null, description: before?.description ?? null, policy };
    const members = profile.members.map((mount) => (mount.member === member ? { ...mount, changes: { ...mount.changes, [tool]: change } } : mount));
    this.#place.keepProfile({ ...profile, members });
    return before?.policy ?? null;
  }

  #everywhere(key: string, hints: ToolHints, rules: PolicyRules): PolicyDecision {
    const byHand = this.#byHand.get(key);
    if (byHand) return ruled(byHand, { kind: "hand" });
    const manifest = this.manifest.get(key);
    if (manifest === "deny") return ruled("deny", { kind: "manifest" });
    const rule = ruleFor(rules, hints);
    if (rule) return ruled(rule.policy, { kind: "rule", class: rule.toolClass });
    return manifest ? ruled(manifest, { kind: "manifest" }) : ruled("allow", { kind: "default" });
  }

  /** The members and tools that a profile includes; without a profile, all. */
  #members(profile: Profile | null): readonly MockMember[] {
    const all = this.#place.members();
    if (profile === null) return all;
    return all.flatMap((member) => {
      const mount = profile.members.find((one) => one.member === member.view.name);
      if (!mount) return [];
      const chosen = ({ summary: { name } }: MockTool) => mount.tools.kind === "all" || mount.tools.tools.includes(name) === (mount.tools.kind === "only");
      return [{ ...member, tools: member.tools.filter(chosen) }];
    });
  }

  #catalog(profile: Profile | null): Catalog {
    const members = this.#members(profile);
    return {
      tools: members.flatMap(({ view, tools }) => tools.map((tool) => this.#line(view, tool, profile))),
      offers: members.flatMap(({ view }) => (this.offers.get(view.name) ?? []).map((name) => this.#offer(view.name, name))),
      members: members.map(({ view, tools }) => ({
        member: view.name,
        discoveryStatus: statusOf(view),
        lastDiscoveredMs: view.listedAtMs,
        discoveryError: view.error,
        found: null,
        tools: tools.length,
        withheld:
          view.status === "disabled"
            ? { code: "tool-denied", message: "The member is disabled in plugin.json.", hint: "Set `enabled` to true in its plugin.json.", member: null }
            : null,
      })),
    };
  }

  #offer(member: MemberName, name: ToolName): CatalogTool {
    const policy = this.#byHand.get(`${member}/${name}`);
    const [kind] = name.split(":");
    return {
      name: `${member}/${name}`,
      description: "",
      kind: kind === "prompt" || kind === "template" || kind === "skill" ? kind : "resource",
      policy: policy ?? "allow",
      policyReason: { kind: policy ? "hand" : "default" },
      hints: { readOnly: null, destructive: null, idempotent: null, openWorld: null },
      class: null,
      readOnlyClaim: null,
      mark: null,
      withheld: null,
      provenance: null,
      discoveryStatus: "success",
      lastDiscoveredMs: null,
    };
  }

  #line(view: MemberView, tool: MockTool, profile: Profile | null): CatalogTool {
    const { name, summary, hints, mark } = tool.summary;
    const { policy, reason } = this.ruling(view.name, tool, profile);
    const doubted = hints.readOnly === true && /^(send|create|delete)/.test(name);
    const confirmed = this.#confirmed.has(`${view.name}/${name}`);
    return {
      name: `${view.name}/${name}`,
      description: summary,
      kind: "mcp",
      policy,
      policyReason: reason,
      hints,
      class: doubted && !confirmed ? "changing" : classOf(hints),
      readOnlyClaim: doubted ? (confirmed ? "confirmed" : "doubted") : null,
      mark,
      withheld: null,
      provenance: view.freshness === "live" ? "live" : "cached",
      discoveryStatus: statusOf(view),
      lastDiscoveredMs: view.listedAtMs,
    };
  }
}

function statusOf({ error, freshness }: MemberView) {
  if (error) return "failed" as const;
  if (freshness === "refreshing") return "discovering" as const;
  return freshness === "unknown" ? ("never" as const) : ("success" as const);
}

function classOf({ readOnly, destructive }: ToolHints): ToolClass {
  if (destructive === true) return "destructive";
  if (readOnly === true) return "read-only";
  if (destructive === false) return "changing";
  return readOnly === false ? "destructive" : "unsaid";
}

function ruleFor(rules: PolicyRules, hints: ToolHints): { policy: Policy; toolClass: ToolClass } | null {
  const rule = (toolClass: ToolClass) => {
    const policy = rules[FIELDS[toolClass]];
    return policy === null ? null : { policy, toolClass };
  };
  const own = rule(classOf(hints));
  const open = hints.openWorld === true ? rule("open-world") : null;
  if (own && open) return strictness(open.policy) > strictness(own.policy) ? open : own;
  return own ?? open;
}

function strictness(policy: Policy): number {
  return STRICTNESS.indexOf(policy);
}

function ruled(policy: Policy, reason: PolicyReason): PolicyDecision {
  return { policy, reason };
}
