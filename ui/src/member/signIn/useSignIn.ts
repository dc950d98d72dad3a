import { useEffect, useState } from "react";

import type { MemberView, SignInView } from "../../bridge/bindings";
import type { Hall } from "../../hall/hall";
import { useStore } from "../../hall/store";

/** How it stands with signing in to a member: as it was read, and as it was told since. */
export function useSignIn(hall: Hall, { name, status, transport }: MemberView): SignInView | null {
  const [read, setRead] = useState<SignInView | null>(null);
  const told = useStore(hall.state, ({ signIns }) => signIns.get(name));
  useEffect(() => {
    let wanted = transport === "http";
    if (wanted) {
      hall.ask("sign_in_state", { member: name }).then(
        (view) => {
          if (wanted) setRead(view);
        },
        // Why it can't be said is the member's own error, which stands on the page.
        () => undefined,
      );
    }
    return () => {
      wanted = false;
    };
  }, [hall, name, status, transport]);
  const known = read?.member === name ? read : null;
  if (!told) return known;
  // What a person did last is told; whether anybody can sign in at all is read.
  return known?.possible === false ? known : told;
}
