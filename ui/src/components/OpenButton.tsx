import { use, useState } from "react";

import type { Report } from "../ipc/bindings";
import { DesktopContext } from "../lib/desktop";
import { asRefusal, type Openable } from "../ipc/bridge";
import { Button } from "./Button";
import { Sign } from "./Icon";
import { Reported } from "./Reported";

interface Props {
  readonly what: Openable;
  readonly label: string;
}

/** Opens something with a program of the system, and shows why where that fails. */
export function OpenButton({ what, label }: Props) {
  const open = use(DesktopContext)?.open;
  const [problem, setProblem] = useState<Report | null>(null);
  if (open === undefined) return null;
  const press = () => {
    setProblem(null);
    open(what).catch((reason: unknown) => setProblem(asRefusal(reason).report));
  };
  return (
    <>
      <Button look="quiet" onClick={press}>{label}</Button>
      {problem !== null && (
        <span role="alert" className="wrap-anywhere">
          <Sign of="cross" className="text-bad me-1" />
          <Reported report={problem} />
        </span>
      )}
    </>
  );
}

/** Opens a web page whose address is shown beside it; nothing for other addresses. */
export function OpenLink({ address }: { address: string }) {
  if (!/^https?:\/\//i.test(address)) return null;
  return <OpenButton what={{ kind: "address", address }} label="Open in browser" />;
}
