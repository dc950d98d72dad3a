import { useCallback } from "react";

import type { Policy, ProfileName } from "../../../ipc/bindings";
import { counted } from "../../../lib/format";
import { useHall } from "../../../lib/hall/hall";
import { useSpoken } from "../../../lib/spoken";
import { useAgents } from "../agents";
import { POLICY_FACES } from "../faces";
import { policyByKey, type Governed } from "./PolicyChoice";

const toolCount = (count: number) => counted(count, { one: "tool", other: "tools" });

type Tool = Pick<Governed, "member" | "tool">;

interface SetPolicy {
  readonly set: (tools: readonly Tool[], policy: Policy | null) => void;
  /** Sets the policy of one or several tools by a shortcut. Returns whether the key is a shortcut for a policy. */
  readonly onKey: (tools: readonly Tool[], key: string) => boolean;
}

/** Sets permissions of tools, announces the change to screen readers, and reports errors. */
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
      void agents.policies.set(profile, tools, policy, what).then((refused) => {
        if (refused) hall.tell(refused);
        else spoken.set(what);
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
