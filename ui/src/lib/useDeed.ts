import { useEffect, useRef, useState } from "react";

import type { Report } from "../ipc/bindings";
import { useHall } from "./hall/hall";

export interface Deed {
  /** Does it, unless another is under way; says whether it was done. A notice says why not once its place is gone. */
  readonly go: (deed: () => Promise<Report | null>) => Promise<boolean>;
  /** The same for actions that only the component itself cares about: no error is shown once it is gone. */
  readonly look: (deed: () => Promise<Report | null>) => Promise<boolean>;
  readonly busy: boolean;
  /** Why the last one was not done. */
  readonly problem: Report | null;
  readonly forget: () => void;
}

/** One thing at a time that a person asks for, and why it was refused. */
export function useDeed(): Deed {
  const hall = useHall();
  const [{ busy, problem }, setState] = useState<{ busy: boolean; problem: Report | null }>({ busy: false, problem: null });
  const under = useRef(false);
  const isGone = useRef(false);
  useEffect(() => {
    isGone.current = false;
    return () => {
      isGone.current = true;
    };
  }, []);
  const attempt = async (deed: () => Promise<Report | null>, outlives: boolean) => {
    if (under.current) return false;
    under.current = true;
    setState({ busy: true, problem: null });
    const refused = await deed();
    under.current = false;
    if (!isGone.current) setState({ busy: false, problem: refused });
    else if (outlives && refused !== null) hall.tell(refused);
    return refused === null;
  };
  return {
    go: (deed) => attempt(deed, true),
    look: (deed) => attempt(deed, false),
    busy,
    problem,
    forget: () => setState((state) => ({ ...state, problem: null })),
  };
}
