/** A tool's policy: what it is, what decided it, and another one to be chosen. */
import type { MemberName, Policy, PolicyReason, ProfileName, ToolName } from "../../bridge/bindings";
import { Sign } from "../../parts/Icon";
import { POLICY_ORDER, policyFace } from "../faces";
import { isOwn, reasonWords } from "./policyWords";

export interface Governed {
  readonly member: MemberName;
  readonly tool: ToolName;
  readonly policy: Policy;
  readonly policyReason: PolicyReason;
}

const BY_KEY: Readonly<Partial<Record<string, Policy | "manifest">>> = { a: "allow", s: "ask", d: "deny", m: "manifest" };

/** The policy that a key means; `null` for what the rules and the manifest say, `undefined` for nothing. */
export function policyByKey(key: string): Policy | null | undefined {
  const meant = BY_KEY[key.toLowerCase()];
  return meant === "manifest" ? null : meant;
}

interface Props {
  readonly governed: Governed;
  /** Where it is set; `null` for everywhere. */
  readonly profile: ProfileName | null;
  readonly onPolicy: (policy: Policy | null) => void;
}

export function PolicyChoice({ governed: { tool, policy, policyReason }, profile, onPolicy }: Props) {
  const face = policyFace(policy);
  const own = isOwn(policyReason, profile);
  const why = reasonWords(policyReason, profile);
  return (
    <span className="flex items-center gap-1.5" title={`${face.word}: ${why}`}>
      <Sign of={face.shape} className={face.colour} />
      <select
        aria-label={`Policy of ${tool}`}
        // The row's keys do the same; the grid is the one Tab stop.
        tabIndex={-1}
        className="h-6 min-w-0 flex-1 rounded-sm border border-line bg-bg"
        value={own ? policy : ""}
        onChange={(event) => onPolicy(POLICY_ORDER.find((one) => one === event.target.value) ?? null)}
        onClick={(event) => event.stopPropagation()}
      >
        <option value="">{own ? "as the rules and the manifest say" : `${face.word} (${why})`}</option>
        {POLICY_ORDER.map((one) => (
          <option key={one} value={one}>{own && one === policy ? `${face.word} (${why})` : policyFace(one).word}</option>
        ))}
      </select>
    </span>
  );
}
