/** Rules for kinds of tools: what they say now, and what another choice would change before it is saved. */
import { useEffect, useId, useState } from "react";

import { useHouse } from "../../app/house";
import type { Policy, PolicyPreview, PolicyRules, ProfileName, Report } from "../../bridge/bindings";
import { asRefusal } from "../../bridge/bridge";
import { useStore } from "../../hall/store";
import { Button } from "../../parts/Button";
import { Sign } from "../../parts/Icon";
import { Trouble } from "../../parts/Trouble";
import { useDeed } from "../../parts/useDeed";
import { counted, number } from "../../words/format";
import { SELECT } from "../EndpointPicker";
import { POLICY_ORDER, policyFace } from "../faces";
import { classWords, NO_RULES, TOOL_CLASSES } from "./policyWords";
import { Preview, Unheld } from "./Preview";

/** So long a choice has to rest before it is asked what it would change. */
const REST_MS = 150;

/** A rule for reading, one for destroying: what most people begin with. */
const USUAL: Partial<PolicyRules> = { readOnly: "allow", destructive: "ask" };

interface Props {
  readonly profile: ProfileName | null;
  readonly rules: PolicyRules;
}

export function RulesPanel({ profile, rules }: Props) {
  const { agents, spoken } = useHouse();
  const id = useId();
  const deed = useDeed();
  /** What is chosen and not saved; `null` where that is nothing. */
  const [draft, setDraft] = useState<PolicyRules | null>(null);
  const chosen = draft ?? rules;
  const changed = draft !== null && !isSame(draft, rules);
  const none = isSame(chosen, NO_RULES);
  // Of rules that are saved it is asked too: whose servers' word they rest on.
  const { preview, error } = usePreview(profile, none && !changed ? null : chosen);
  const choose = (changes: Partial<PolicyRules>) => setDraft({ ...chosen, ...changes });
  const save = () =>
    void deed
      .go(() => agents.policies.saveRules(profile, chosen, profile === null ? "the rules" : `the rules of profile ${profile}`))
      .then((done) => {
        if (!done) return;
        setDraft(null);
        spoken.set("The rules are saved.");
      });
  return (
    <section aria-labelledby={`${id}-title`} className="shrink-0 border-b border-line px-4 py-2" data-testid="policy-rules">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <h2 id={`${id}-title`} className="font-medium">Rules <span className="sr-only">for kinds of tools</span></h2>
        {TOOL_CLASSES.map((toolClass) => {
          const { rule, word, says } = classWords(toolClass);
          const policy = chosen[rule];
          return (
            <label key={toolClass} className="inline-flex items-center gap-1.5" title={says}>
              {word}
              <span aria-hidden className={`w-3 text-center ${policy === null ? "text-faint" : policyFace(policy).colour}`}>
                {policy === null ? "–" : <Sign of={policyFace(policy).shape} />}
              </span>
              <select className={SELECT} value={policy ?? ""} onChange={(event) => choose({ [rule]: policyOf(event.target.value) })}>
                <option value="">no rule</option>
                {POLICY_ORDER.map((one) => (
                  <option key={one} value={one}>{policyFace(one).word}</option>
                ))}
              </select>
            </label>
          );
        })}
        {none && (
          <Button look="quiet" title="Nothing is saved before you say so" onClick={() => choose(USUAL)}>Read-only allowed, destructive asks…</Button>
        )}
        {changed && (
          <span className="ms-auto inline-flex gap-2">
            <Button onClick={() => setDraft(null)}>Discard</Button>
            <Button look="accent" unavailable={deed.busy ? "It is being saved" : undefined} onClick={save}>Save rules</Button>
          </span>
        )}
      </div>
      {changed && (
        <div className="mt-2 flex flex-col gap-1">
          <p role="status">{preview === null ? (error ? "" : "…") : previewWords(preview)}</p>
          {error && <Trouble report={error} />}
          {preview && <Preview preview={preview} profile={profile} />}
        </div>
      )}
      {preview && preview.unheld.length > 0 && <Unheld members={preview.unheld} />}
      {deed.problem && <Trouble report={deed.problem} className="mt-2" />}
    </section>
  );
}

function previewWords({ total, changes }: PolicyPreview): string {
  if (total === 0) return "No tool's policy would change.";
  const looser = changes.filter(({ before, after }) => POLICY_ORDER.indexOf(after.policy) < POLICY_ORDER.indexOf(before.policy)).length;
  return `${counted(total, { one: "tool", other: "tools" })} would change.${looser === 0 ? "" : ` Of ${looser === 1 ? "one" : number(looser)} agents may do more than now.`}`;
}

function isSame(one: PolicyRules, other: PolicyRules): boolean {
  return TOOL_CLASSES.every((toolClass) => one[classWords(toolClass).rule] === other[classWords(toolClass).rule]);
}

function policyOf(text: string): Policy | null {
  return POLICY_ORDER.find((one) => one === text) ?? null;
}

interface Answer {
  readonly of: readonly unknown[];
  readonly preview: PolicyPreview | null;
  readonly error: Report | null;
}

/** What rules would change, and whose servers' word they rest on; nothing where there are none. */
function usePreview(profile: ProfileName | null, rules: PolicyRules | null): { preview: PolicyPreview | null; error: Report | null } {
  const { hall } = useHouse();
  const [answer, setAnswer] = useState<Answer | null>(null);
  const generations = useStore(hall.state, (state) => state.generations);
  const held = useStore(hall.state, ({ members }) => members.filter(({ trust }) => trust.holds).map(({ name }) => name).join("\n"));
  const written = rules && JSON.stringify(rules);
  useEffect(() => {
    if (written === null) return undefined;
    let wanted = true;
    const of = [profile, written];
    const timer = setTimeout(() => {
      hall.ask("preview_policy_rules", { profile, rules: JSON.parse(written) as PolicyRules }).then(
        (preview) => wanted && setAnswer({ of, preview, error: null }),
        (reason: unknown) => wanted && setAnswer({ of, preview: null, error: asRefusal(reason).report }),
      );
    }, REST_MS);
    return () => {
      wanted = false;
      clearTimeout(timer);
    };
  }, [hall, profile, written, generations, held]);
  return answer !== null && answer.of[0] === profile && answer.of[1] === written ? answer : { preview: null, error: null };
}
