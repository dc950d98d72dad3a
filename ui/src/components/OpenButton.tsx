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

/** A button that opens a folder, file or address with its default app. A failure is shown beside the button. */
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

/** A button that opens a web page in the browser. Renders nothing for addresses other than HTTP and HTTPS. */
export function OpenLink({ address }: { address: string }) {
  if (!/^https?:\/\//i.test(address)) return null;
  return <OpenButton what={{ kind: "address", address }} label="Open in browser" />;
}
