/** A button that denies an approval without opening it. */
import { type ComponentProps, useState } from "react";

import type { Approval } from "../../../ipc/bindings";
import { Button } from "../../../components/Button";
import { useHall } from "../../../lib/hall/hall";
import { useAgents } from "../agents";

interface Props extends Pick<ComponentProps<typeof Button>, "look" | "ref" | "unavailable"> {
  readonly approval: Approval;
}

export function DenyButton({ approval: { id, client, tool }, unavailable, ...rest }: Props) {
  const agents = useAgents();
  const hall = useHall();
  // The state stays true after a successful decision, because a later event removes the button.
  const [denied, setDenied] = useState(false);
  const deny = () => {
    setDenied(true);
    void agents.approvals.decide(id, "deny", null).then((refused) => {
      if (!refused) return;
      setDenied(false);
      hall.tell(refused);
    });
  };
  return <Button {...rest} aria-label={`Deny ${tool} to ${client}`} unavailable={denied ? "Sending…" : unavailable} onClick={deny}>Deny</Button>;
}
