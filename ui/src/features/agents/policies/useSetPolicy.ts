import { useCallback } from "react";

import type { Policy, ProfileName } from "../../../ipc/bindings";
import { counted } from "../../../lib/format";
import { useHall, type Hall } from "../../../lib/hall/hall";
import { useSpoken, type Spoken } from "../../../lib/spoken";
import { useAgents, type Agents } from "../agents";
import { POLICY_FACES } from "../faces";
import { notify } from "../notify";
import { policyByKey, type Governed } from "./PolicyChoice";

const toolCount = (count: number) => counted(count, { one: "tool", other: "tools" });

type Tool = Pick<Governed, "member" | "tool">;

interface SetPolicy {
  readonly set: (tools: readonly Tool[], policy: Policy | null) => void;
  /** Sets the policy of one or several tools by a shortcut. Returns whether the key is a shortcut for a policy. */
  readonly onKey: (tools: readonly Tool[], key: string) => boolean;
}

/** Confirms a change of permissions by a toast with an Undo button. */
export function confirmPolicies({ agents, hall, spoken }: { readonly agents: Agents; readonly hall: Hall; readonly spoken: Spoken }, text: string): void {
  agents.policies.offer(notify({ hall, spoken }, text, () => agents.policies.takeBack()));
}

/** Sets permissions of tools, confirms the change, and reports errors. */
export function useSetPolicy(profile: ProfileName | null): SetPolicy {
  const agents = useAgents();
  const hall = useHall();
  const spoken = useSpoken();
  const set = useCallback(
    (tools: readonly Tool[], policy: Policy | null) => {
      const [first] = tools;
      if (!first) return;
      const which = tools.length === 1 ? `${first.tool} on ${first.member}` : toolCount(tools.length);
      const what = `${which}${profile === null ? "" : ` in profile ${profile}`}: ${policy === null ? "Inherited" : POLICY_FACES[policy].word}`;
      void agents.policies.set(profile, tools, policy).then((refused) => {
        if (refused) hall.tell(refused);
        else confirmPolicies({ agents, hall, spoken }, what);
      });
    },
    [agents, hall, spoken, profile],
  );
  const onKey = useCallback(
    (tools: readonly Tool[], key: string) => {
      const policy = policyByKey(key);
      if (policy === undefined) return false;
      set(tools, policy);
      return true;
    },
    [set],
  );
  return { set, onKey };
}
