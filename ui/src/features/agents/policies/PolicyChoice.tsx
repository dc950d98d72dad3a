/** The control for one tool's permission in a table row. */
import type { MemberName, Policy, PolicyReason, ProfileName, ToolName } from "../../../ipc/bindings";
import { Badge } from "../../../components/Badge";
import { POLICY_ORDER, POLICY_FACES } from "../faces";
import { isOwn } from "./policyWords";

export interface Governed {
  readonly member: MemberName;
  readonly tool: ToolName;
  readonly policy: Policy;
  readonly policyReason: PolicyReason;
}

const BY_KEY: Readonly<Partial<Record<string, Policy | "manifest">>> = { a: "allow", s: "ask", d: "deny", m: "manifest" };

/** The policy that a shortcut sets: `null` for inherited, `undefined` for a key that is not a shortcut. */
export function policyByKey(key: string): Policy | null | undefined {
  const meant = BY_KEY[key.toLowerCase()];
  return meant === "manifest" ? null : meant;
}

interface Props {
  readonly governed: Governed;
  /** The profile in which the permission is set; `null` for the global permission. */
  readonly profile: ProfileName | null;
  readonly onPolicy: (policy: Policy | null) => void;
}

const TONES = { allow: "ok", ask: "warn", deny: "bad" } as const;
const CHOICES: readonly (Policy | null)[] = [null, ...POLICY_ORDER];
const SHOWN = "group-hover/row:inline-flex [[role=grid]:focus_[data-active=true]_&]:inline-flex";
const HIDDEN = "group-hover/row:hidden [[role=grid]:focus_[data-active=true]_&]:hidden";

/** A badge with the permission. While the row is hovered or active, four buttons replace the badge. */
export function PolicyChoice({ governed: { tool, policy, policyReason }, profile, onPolicy }: Props) {
  const own = isOwn(policyReason, profile);
  return (
    <span data-permission={policy} className="flex items-center">
      <Badge tone={TONES[policy]} className={HIDDEN}>{POLICY_FACES[policy].word}</Badge>
      <span role="group" aria-label={`Permission for ${tool}`} className={`hidden h-7 gap-0.5 rounded-sm border border-line bg-bg p-0.5 ${SHOWN}`}>
        {CHOICES.map((one) => (
          <button
            key={one}
            type="button"
            aria-pressed={own ? one === policy : one === null}
            // Keyboard users use the row's shortcuts instead, because the grid is the only Tab stop.
            tabIndex={-1}
            onClick={(event) => {
              event.stopPropagation();
              onPolicy(one);
            }}
            className="rounded-xs px-2 text-sm font-medium text-dim hover:text-text aria-pressed:bg-selected aria-pressed:text-text"
          >
            {one === null ? "Inherit" : POLICY_FACES[one].word}
          </button>
        ))}
      </span>
    </span>
  );
}
