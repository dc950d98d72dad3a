import type { ReactNode } from "react";

import type { Report } from "../../ipc/bindings";
import { Trouble } from "../../components/Trouble";

/** A problem of the history, with its hint. The rest of the window works. */
export function HistoryTrouble({ report, children }: { report: Report; children?: ReactNode }) {
  return (
    <Trouble report={report} className="mx-5 my-2" testid="history-trouble">
      {children}
    </Trouble>
  );
}
