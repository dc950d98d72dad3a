import type { ReactNode } from "react";

import type { Report } from "../bridge/bindings";
import { Trouble } from "../parts/Trouble";

/** What is wrong with the history, and what to do about it. The rest of the window goes on. */
export function HistoryTrouble({ report, children }: { report: Report; children?: ReactNode }) {
  return (
    <Trouble report={report} className="m-2" testid="history-trouble">
      {children}
    </Trouble>
  );
}
