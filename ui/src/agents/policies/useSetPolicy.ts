import { useCallback } from "react";

import { useHouse } from "../../app/house";
import type { Policy } from "../../bridge/bindings";
import { policyFace } from "../words";
import { policyByKey, type Governed } from "./PolicyChoice";

export interface SetPolicy {
  readonly set: (governed: Governed, policy: Policy | null) => void;
  /** A key on a row; says whether it meant a policy. */
  readonly onKey: (governed: Governed, key: string) => boolean;
}

/** Sets policies, says aloud what was set, and tells what was refused. */
export function useSetPolicy(): SetPolicy {
  const { agents, hall, spoken } = useHouse();
  const set = useCallback(
    ({ member, tool }: Governed, policy: Policy | null) => {
      void agents.setPolicy(member, tool, policy).then((refused) => {
        if (refused) hall.tell(refused);
        else spoken.set(`${tool} of ${member}: ${policy === null ? "as its manifest says" : policyFace(policy).word}`);
      });
    },
    [agents, hall, spoken],
  );
  const onKey = useCallback(
    (governed: Governed, key: string) => {
      const policy = policyByKey(key);
      if (policy === undefined) return false;
      set(governed, policy);
      return true;
    },
    [set],
  );
  return { set, onKey };
}
