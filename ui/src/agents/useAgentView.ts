import { useEffect, useState } from "react";

import { useHouse } from "../app/house";
import type { AgentView, Endpoint, Listing, Report } from "../bridge/bindings";
import { asRefusal } from "../bridge/bridge";
import { useStore } from "../hall/store";
import { pathOf } from "./faces";

/** Debounce before the view is requested again. */
const REST_MS = 150;

interface Answer {
  readonly of: string;
  readonly view: AgentView | null;
  readonly error: Report | null;
}

/** An agent's view of an endpoint; requested again when the gateway or a tool list changes. */
export function useAgentView(endpoint: Endpoint, listing: Listing | null): Omit<Answer, "of"> & { readonly fresh: boolean } {
  const { hall, agents } = useHouse();
  const gateway = useStore(agents.gateway, (now) => now);
  const generations = useStore(hall.state, (state) => state.generations);
  // A member that was switched off gives nothing, though its list is the same.
  const off = useStore(hall.state, ({ members }) => members.filter(({ status }) => status === "disabled").map(({ name }) => name).join("\n"));
  const of = `${pathOf(endpoint)} ${listing ?? ""}`;
  const [answer, setAnswer] = useState<Answer>({ of: "", view: null, error: null });
  /** The inputs of the newest answer. */
  const [asked, setAsked] = useState<readonly unknown[]>([]);
  useEffect(() => {
    let wanted = true;
    const timer = setTimeout(
      () => {
        hall.ask("view_as_agent", { endpoint, listing }).then(
          (view) => {
            if (!wanted) return;
            setAnswer({ of, view, error: null });
            setAsked([of, gateway, generations, off]);
          },
          (reason: unknown) => {
            if (wanted) setAnswer((before) => ({ of, view: before.of === of ? before.view : null, error: asRefusal(reason).report }));
          },
        );
      },
      answer.of === of ? REST_MS : 0,
    );
    return () => {
      wanted = false;
      clearTimeout(timer);
    };
    // Whether something is shown already only says how long it may rest.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [hall, of, gateway, generations, off]);
  const same = answer.of === of;
  return {
    view: same ? answer.view : null,
    error: same ? answer.error : null,
    fresh: asked[0] === of && asked[1] === gateway && asked[2] === generations && asked[3] === off,
  };
}
