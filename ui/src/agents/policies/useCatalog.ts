import { useEffect, useState } from "react";

import { useHouse } from "../../app/house";
import type { Catalog, MemberView, ProfileName, Report } from "../../bridge/bindings";
import { asRefusal } from "../../bridge/bridge";
import { useStore } from "../../hall/store";

/** Debounce before the catalogue is requested again. */
const REST_MS = 150;

interface Answer {
  readonly of: ProfileName | null;
  readonly catalog: Catalog | null;
  readonly error: Report | null;
}

const NOTHING: Answer = { of: null, catalog: null, error: null };

/** The state of a member in the catalog. */
const stateOf = ({ name, status, freshness, trust, error }: MemberView): string =>
  [name, status, freshness, trust.held, trust.holds, error?.message].join("\t");

/** The catalogue, global or of a profile; requested again when any of it may have changed. */
export function useCatalog(profile: ProfileName | null): Omit<Answer, "of"> & { readonly fresh: boolean } {
  const { hall, agents } = useHouse();
  const gateway = useStore(agents.gateway, (now) => now);
  const generations = useStore(hall.state, (state) => state.generations);
  const states = useStore(hall.state, ({ members }) => members.map(stateOf).join("\n"));
  const [answer, setAnswer] = useState<Answer>(NOTHING);
  /** The inputs of the newest answer. */
  const [asked, setAsked] = useState<readonly unknown[]>([]);
  const known = answer.of === profile && answer.catalog !== null;
  useEffect(() => {
    let wanted = true;
    const ask = () => {
      hall.ask("catalog", { profile }).then(
        (catalog) => {
          if (!wanted) return;
          setAnswer({ of: profile, catalog, error: null });
          setAsked([profile, gateway, generations, states]);
        },
        (reason: unknown) => {
          if (!wanted) return;
          const error = asRefusal(reason).report;
          setAnswer((before) => ({ of: profile, catalog: before.of === profile ? before.catalog : null, error }));
        },
      );
    };
    const timer = setTimeout(ask, known ? REST_MS : 0);
    return () => {
      wanted = false;
      clearTimeout(timer);
    };
    // Whether something is shown already only says how long it may rest.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [hall, profile, gateway, generations, states]);
  const same = answer.of === profile;
  return {
    catalog: same ? answer.catalog : null,
    error: same ? answer.error : null,
    fresh: asked[0] === profile && asked[1] === gateway && asked[2] === generations && asked[3] === states,
  };
}
