/** The profile in the editor: its data, its validation and its changes. */
import type { GatewayState, MemberName, MountedMember, Policy, Profile, ProfileName, ToolChange, ToolChoice, ToolName } from "../../../ipc/bindings";
import { NO_RULES } from "../policies/policyWords";

export interface EditedProfile {
  /** The profile's saved name; `null` for a new profile. */
  readonly original: ProfileName | null;
  readonly profile: Profile;
}

export const NEW_PROFILE: EditedProfile = { original: null, profile: { name: "", listing: null, resultTokens: null, rules: NO_RULES, members: [] } };

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
export const NAME_MAX = 64;

/** The error message for the profile's name; `null` for a valid name. */
export function wrongName({ original, profile: { name } }: EditedProfile, { profiles }: GatewayState): string | null {
  if (name === "") return "Give it a name first.";
  if (!NAME.test(name)) return "Use letters, digits, dots, dashes and underscores. The first character is a letter or digit.";
  if (name !== original && profiles.some((other) => other.name === name)) return `A profile named ${name} already exists.`;
  return null;
}

export function isSameProfile(one: Profile, other: Profile): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** The edited profile after the gateway changed. A profile without unsaved changes gets the newly saved data. */
export function followed(edited: EditedProfile | null, before: GatewayState | null, after: GatewayState): EditedProfile | null {
  const savedIn = (state: GatewayState | null) => state?.profiles.find(({ name }) => name === edited?.original);
  const [old, now] = [savedIn(before), savedIn(after)];
  return edited && old && now && isSameProfile(old, edited.profile) ? { ...edited, profile: now } : edited;
}

export function mounted(member: MemberName): MountedMember {
  return { member, withoutPrefix: false, tools: { kind: "all" }, offers: { kind: "all" }, changes: {} };
}

/** A copy of the list in which the member at `index` has moved up (-1) or down (1) by one position. */
export function moved(members: readonly MountedMember[], index: number, by: 1 | -1): MountedMember[] {
  const next = [...members];
  const [one] = next.splice(index, 1);
  if (one) next.splice(index + by, 0, one);
  return next;
}

/**
 * Adds or removes the prefix of a member. At most one member has no prefix, so if the prefix is removed and another
 * member has none, that member gets its prefix again.
 */
export function withoutPrefix(members: readonly MountedMember[], member: MemberName, bare: boolean): MountedMember[] {
  return members.map((mount) => {
    if (mount.member === member) return { ...mount, withoutPrefix: bare };
    return bare && mount.withoutPrefix ? { ...mount, withoutPrefix: false } : mount;
  });
}

export function isChosen(choice: ToolChoice, tool: ToolName): boolean {
  return choice.kind === "all" || choice.tools.includes(tool) === (choice.kind === "only");
}

/** Includes or excludes a tool. A choice of all tools becomes a choice of all tools except this one. */
export function toggled(choice: ToolChoice, tool: ToolName): ToolChoice {
  if (choice.kind === "all") return { kind: "except", tools: [tool] };
  const tools = choice.tools.includes(tool) ? choice.tools.filter((other) => other !== tool) : [...choice.tools, tool];
  return { ...choice, tools };
}

/** Converts a choice to another kind. The selected tools stay the same. */
export function choiceOf(kind: ToolChoice["kind"], before: ToolChoice, all: readonly ToolName[]): ToolChoice {
  if (kind === "all" || kind === before.kind) return kind === "all" ? { kind } : before;
  if (before.kind === "all") return { kind, tools: kind === "only" ? [...all] : [] };
  // `only` lists the selected tools and `except` lists the others, so the list is inverted.
  return { kind, tools: all.filter((tool) => !before.tools.includes(tool)) };
}

const PLAIN: ToolChange = { name: null, description: null, policy: null };

export function changeOf(mount: MountedMember, tool: ToolName): ToolChange {
  return Object.hasOwn(mount.changes, tool) ? (mount.changes[tool] ?? PLAIN) : PLAIN;
}

/** Changes the override of a tool. An override without content is removed. */
export function changed(mount: MountedMember, tool: ToolName, change: Partial<ToolChange>): MountedMember {
  const next = { ...changeOf(mount, tool), ...change };
  const others = Object.entries(mount.changes).filter(([name]) => name !== tool);
  const nothing = next.name === null && next.description === null && next.policy === null;
  return { ...mount, changes: Object.fromEntries(nothing ? others : [...others, [tool, next]]) };
}

/** The permissions that a profile can set. `allow` is missing, because a profile cannot loosen permissions. */
export const STRICTER: readonly Policy[] = ["ask", "deny"];
