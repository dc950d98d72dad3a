import { useEffect, useState } from "react";

import type { MemberView, SignInView } from "../../../ipc/bindings";
import type { Hall } from "../../../lib/hall/hall";
import { useStore } from "../../../lib/store";

/** A member's sign-in state: the latest event, or the state that was read if no event has arrived. */
export function useSignIn(hall: Hall, { name, status, transport }: MemberView): SignInView | null {
  const [read, setRead] = useState<SignInView | null>(null);
  const latest = useStore(hall.state, ({ signIns }) => signIns.get(name));
  useEffect(() => {
    let wanted = transport === "http" || transport === "sse";
    if (wanted) {
      hall.ask("sign_in_state", { member: name }).then(
        (view) => {
          if (wanted) setRead(view);
        },
        // An error is ignored, because the page already shows the member's error, which explains the failure.
        () => undefined,
      );
    }
    return () => {
      wanted = false;
    };
  }, [hall, name, status, transport]);
  const known = read?.member === name ? read : null;
  if (!latest) return known;
  // Events only report the latest sign-in. `possible` is taken from the state that was read.
  return known?.possible === false ? known : latest;
}
