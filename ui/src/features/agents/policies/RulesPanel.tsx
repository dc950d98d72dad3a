/** The rules for the five kinds of tools, and a preview of the tools that an unsaved change affects. */
import { useEffect, useId, useState } from "react";

import type { PolicyPreview, PolicyRules, ProfileName } from "../../../ipc/bindings";
import { useHall } from "../../../lib/hall/hall";
import { useSpoken } from "../../../lib/spoken";
import { useStore } from "../../../lib/store";
import { Button } from "../../../components/Button";
import { Icon } from "../../../components/Icon";
import { Segmented } from "../../../components/Segmented";
import { SIGNS } from "../../../components/signs";
import { Tooltip } from "../../../components/Tooltip";
import { ErrorReport } from "../../../components/ErrorReport";
import { useOperation } from "../../../lib/useOperation";
import { counted, number, plural } from "../../../lib/format";
import { useAgents } from "../agents";
import { POLICY_ORDER, POLICY_FACES } from "../faces";
import { useLive } from "../useLive";
import { CLASS_WORDS, NO_RULES, TOOL_CLASSES } from "./policyWords";
import { Preview, Unheld } from "./Preview";
import { confirmPolicies } from "./useSetPolicy";

/** The rules that the button "Use recommended" sets. */
const USUAL: Partial<PolicyRules> = { readOnly: "allow", destructive: "ask" };

const RULE_OPTIONS = [{ value: "" as const, label: "Inherit" }, ...POLICY_ORDER.map((policy) => ({ value: policy, label: POLICY_FACES[policy].word }))];

/** A state of the rules that needs the user's attention, also while the panel is hidden. */
export type RulesAlert = "failed" | "unsaved" | "labels";

interface Props {
  readonly profile: ProfileName | null;
  readonly rules: PolicyRules;
  readonly onAlert: (alert: RulesAlert | null) => void;
}

export function RulesPanel({ profile, rules, onAlert }: Props) {
  const agents = useAgents();
  const hall = useHall();
  const spoken = useSpoken();
  const id = useId();
  const operation = useOperation();
  /** The edited rules; `null` if the user has not edited any. */
  const [draft, setDraft] = useState<PolicyRules | null>(null);
  const chosen = draft ?? rules;
  const changed = draft !== null && !isSame(draft, rules);
  const none = isSame(chosen, NO_RULES);
  // Saved rules are previewed too, because the preview lists the members that the warning about labels names.
  const { value: preview, error } = usePreview(profile, none && !changed ? null : chosen);
  const isUnheld = preview !== null && preview.unheld.length > 0;
  const alert = operation.problem ? "failed" : changed ? "unsaved" : isUnheld ? "labels" : null;
  useEffect(() => onAlert(alert), [alert, onAlert]);
  const save = () =>
    void operation
      .go(() => agents.policies.saveRules(profile, chosen))
      .then((done) => {
        if (!done) return;
        setDraft(null);
        confirmPolicies({ agents, hall, spoken }, "Rules saved");
      });
  return (
    <section aria-labelledby={`${id}-title`} className="flex flex-col gap-3" data-testid="policy-rules">
      <div>
        <h2 id={`${id}-title`} className="font-semibold">Rules</h2>
        <p className="text-sm text-dim">Used when a tool has no permission of its own.</p>
      </div>
      <RuleChoices rules={chosen} onRules={setDraft} />
      {none && <Button className="self-start" onClick={() => setDraft({ ...chosen, ...USUAL })}>Use recommended</Button>}
      {changed && (
        <div className="flex flex-col gap-2">
          <p role="status">{preview === null ? (error ? "" : "…") : previewWords(preview)}</p>
          {error && <ErrorReport report={error} />}
          {preview && <Preview preview={preview} profile={profile} />}
          <span className="inline-flex gap-2">
            <Button look="accent" unavailable={operation.busy ? "Saving…" : undefined} onClick={save}>Save rules</Button>
            <Button onClick={() => setDraft(null)}>Discard</Button>
          </span>
        </div>
      )}
      {isUnheld && <Unheld members={preview.unheld} />}
      {operation.problem && <ErrorReport report={operation.problem} />}
    </section>
  );
}

/** A control for each kind of tool that sets the policy of the kind's rule. */
export function RuleChoices({ rules, onRules }: { rules: PolicyRules; onRules: (rules: PolicyRules) => void }) {
  const id = useId();
  return (
    <div className="grid grid-cols-[repeat(auto-fill,minmax(min(200px,100%),1fr))] gap-3">
      {TOOL_CLASSES.map((toolClass) => {
        const { rule, tools, says, icon } = CLASS_WORDS[toolClass];
        return (
          <div key={toolClass} className="flex flex-col gap-1">
            <Tooltip text={says}>
              <span id={`${id}-${toolClass}`} className="flex items-center gap-1.5 font-medium"><Icon of={SIGNS[icon]} size={14} className="text-dim" />{tools}</span>
            </Tooltip>
            <Segmented
              aria-labelledby={`${id}-${toolClass}`}
              className="w-full *:flex-1 *:px-0.5!"
              value={rules[rule] ?? ""}
              options={RULE_OPTIONS}
              onValue={(policy) => onRules({ ...rules, [rule]: policy === "" ? null : policy })}
            />
          </div>
        );
      })}
    </div>
  );
}

function previewWords({ total, changes }: PolicyPreview): string {
  if (total === 0) return "No permission changes.";
  const looser = changes.filter(({ before, after }) => POLICY_ORDER.indexOf(after.policy) < POLICY_ORDER.indexOf(before.policy)).length;
  const change = plural(total, { one: "changes", other: "change" });
  return `${counted(total, { one: "tool", other: "tools" })} ${change}${looser === 0 ? "" : `, ${number(looser)} ${plural(looser, { one: "becomes", other: "become" })} less strict`}.`;
}

function isSame(one: PolicyRules, other: PolicyRules): boolean {
  return TOOL_CLASSES.every((toolClass) => one[CLASS_WORDS[toolClass].rule] === other[CLASS_WORDS[toolClass].rule]);
}

/**
 * The permission changes that the rules cause, and the members whose labels decide permissions and can change without a
 * review.
 */
function usePreview(profile: ProfileName | null, rules: PolicyRules | null) {
  const hall = useHall();
  const generations = useStore(hall.state, (state) => state.generations);
  const held = useStore(hall.state, ({ members }) => members.filter(({ trust }) => trust.holds).map(({ name }) => name).join("\n"));
  const written = rules && JSON.stringify(rules);
  return useLive(written && `${profile ?? ""} ${written}`, [hall, generations, held], () => hall.ask("preview_policy_rules", { profile, rules: rules ?? NO_RULES }));
}
