import { useEffect, useMemo } from "react";

import type { MemberView, ProfileName } from "../../../ipc/bindings";
import { useHall } from "../../../lib/hall/hall";
import { useStore } from "../../../lib/store";
import { useAgents } from "../agents";
import { useLive } from "../useLive";

/** A string of the member's properties that affect the catalog. The catalog is read again when the string changes. */
const stateOf = ({ name, status, freshness, trust, error }: MemberView): string =>
  [name, status, freshness, trust.held, trust.holds, error?.message].join("\t");

/** The catalog with the global permissions, or the catalog of a profile. */
export function useCatalog(profile: ProfileName | null) {
  const hall = useHall();
  const agents = useAgents();
  const gateway = useStore(agents.gateway, (now) => now);
  const generations = useStore(hall.state, (state) => state.generations);
  const states = useStore(hall.state, ({ members }) => members.map(stateOf).join("\n"));
  const { value: catalog, ...rest } = useLive(profile ?? "", [hall, gateway, generations, states], () => hall.ask("catalog", { profile }));
  return { catalog, ...rest };
}

/** The titles of the members' tools by `member/tool`. Loads the tool lists, without starting a member. */
export function useToolTitles(): ReadonlyMap<string, string> {
  const hall = useHall();
  const names = useStore(hall.state, ({ members }) => members.map(({ name }) => name).join("\n"));
  const lists = useStore(hall.lists, (all) => all);
  useEffect(() => {
    const ends = names.split("\n").filter(Boolean).map((name) => hall.watch(name));
    return () => {
      for (const end of ends) end();
    };
  }, [hall, names]);
  return useMemo(() => {
    const tools = [...lists.values()].flatMap((list) => [...(list.tools?.tools ?? [])]);
    return new Map(tools.flatMap(({ member, name, title }) => (title === null ? [] : [[`${member}/${name}`, title] as const])));
  }, [lists]);
}
