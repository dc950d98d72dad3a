import { useEffect, useState } from "react";

import type { MemberView, SignInView } from "../../../ipc/bindings";
import type { Hall } from "../../../lib/hall/hall";
import { useStore } from "../../../lib/store";

/** A member's sign-in state: the state that was read, updated by later events. */
export function useSignIn(hall: Hall, { name, status, transport }: MemberView): SignInView | null {
  const [read, setRead] = useState<SignInView | null>(null);
  const latest = useStore(hall.state, ({ signIns }) => signIns.get(name));
  useEffect(() => {
    let wanted = transport === "http";
    if (wanted) {
      hall.ask("sign_in_state", { member: name }).then(
        (view) => {
          if (wanted) setRead(view);
        },
        // The page already shows the member's own error, which explains the failure.
        () => undefined,
      );
    }
    return () => {
      wanted = false;
    };
  }, [hall, name, status, transport]);
  const known = read?.member === name ? read : null;
  if (!latest) return known;
  // Events report the latest sign-in; only the read state knows whether signing in is possible at all.
  return known?.possible === false ? known : latest;
}
