/** A tool's policy: what it is, where it comes from, and another one to be chosen. */
import type { Policy } from "../../bridge/bindings";
import { POLICY_ORDER, policyFace } from "../words";

/** Where a policy stands that was set in this window. */
export const OWN = "gateway.json";

export interface Governed {
  readonly member: string;
  readonly tool: string;
  readonly policy: Policy;
  readonly policyFrom: string;
}

/** The keys on a row of a table of tools. */
export const POLICY_KEYS = "On a row, A allows, S asks a person first, D denies, and M does as the manifest says.";

const BY_KEY: Readonly<Partial<Record<string, Policy | "manifest">>> = { a: "allow", s: "ask", d: "deny", m: "manifest" };

/** The policy that a key means; `null` for what the manifest says, `undefined` for nothing. */
export function policyByKey(key: string): Policy | null | undefined {
  const meant = BY_KEY[key.toLowerCase()];
  return meant === "manifest" ? null : meant;
}

interface Props {
  readonly governed: Governed;
  readonly onPolicy: (policy: Policy | null) => void;
}

export function PolicyChoice({ governed: { tool, policy, policyFrom }, onPolicy }: Props) {
  const face = policyFace(policy);
  return (
    <span className="flex items-center gap-1.5">
      <span aria-hidden className={`w-3 shrink-0 text-center ${face.colour}`}>{face.shape}</span>
      <select
        aria-label={`Policy of ${tool}`}
        // The row's keys do the same; the grid is the one Tab stop.
        tabIndex={-1}
        className="h-6 min-w-0 flex-1 rounded-sm border border-line bg-bg px-0.5"
        value={policyFrom === OWN ? policy : ""}
        onChange={(event) => onPolicy(POLICY_ORDER.find((one) => one === event.target.value) ?? null)}
        onClick={(event) => event.stopPropagation()}
      >
        <option value="">{policyFrom === OWN ? "as the manifest says" : `${policy} (${policyFrom})`}</option>
        {POLICY_ORDER.map((one) => (
          <option key={one} value={one}>{policyFrom === OWN && one === policy ? `${one} (${OWN})` : one}</option>
        ))}
      </select>
    </span>
  );
}
