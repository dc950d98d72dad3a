import { useEffect, useRef, useState } from "react";

import { useHouse } from "../app/house";
import type { Report } from "../bridge/bindings";

export interface Deed {
  /** Does it, unless another is under way; says whether it was done. */
  readonly go: (deed: () => Promise<Report | null>) => Promise<boolean>;
  readonly busy: boolean;
  /** Why the last one was not done. */
  readonly problem: Report | null;
  readonly forget: () => void;
}

/** One thing at a time that a person asks for, and why it was refused; a notice says that once its place is gone. */
export function useDeed(): Deed {
  const { hall } = useHouse();
  const [{ busy, problem }, setState] = useState<{ busy: boolean; problem: Report | null }>({ busy: false, problem: null });
  const under = useRef(false);
  const isGone = useRef(false);
  useEffect(() => {
    isGone.current = false;
    return () => {
      isGone.current = true;
    };
  }, []);
  const go = async (deed: () => Promise<Report | null>) => {
    if (under.current) return false;
    under.current = true;
    setState({ busy: true, problem: null });
    const refused = await deed();
    under.current = false;
    if (!isGone.current) setState({ busy: false, problem: refused });
    else if (refused !== null) hall.tell(refused);
    return refused === null;
  };
  return { go, busy, problem, forget: () => setState((state) => ({ ...state, problem: null })) };
}
