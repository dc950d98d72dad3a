import { useEffect, useRef, useState } from "react";

import type { Report } from "../ipc/bindings";
import { useHall } from "./hall/hall";

export interface Operation {
  /**
   * Runs an action, unless another one is still running. Returns whether the action succeeded. If the component was
   * unmounted in the meantime, a failure becomes a notice.
   */
  readonly go: (operation: () => Promise<Report | null>) => Promise<boolean>;
  /** Like `go`, for actions whose failure matters only to this component: no notice is shown after unmounting. */
  readonly look: (operation: () => Promise<Report | null>) => Promise<boolean>;
  readonly busy: boolean;
  /** The failure of the last action; `null` if it succeeded or is still running. */
  readonly problem: Report | null;
  readonly forget: () => void;
}

/** Runs the user's actions one at a time, and keeps the failure of the last one for display. */
export function useOperation(): Operation {
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
  const attempt = async (operation: () => Promise<Report | null>, outlives: boolean) => {
    if (under.current) return false;
    under.current = true;
    setState({ busy: true, problem: null });
    const refused = await operation();
    under.current = false;
    if (!isGone.current) setState({ busy: false, problem: refused });
    else if (outlives && refused !== null) hall.tell(refused);
    return refused === null;
  };
  return {
    go: (operation) => attempt(operation, true),
    look: (operation) => attempt(operation, false),
    busy,
    problem,
    forget: () => setState((state) => ({ ...state, problem: null })),
  };
}
