import type { Report } from "../../ipc/bindings";
import { Trouble } from "../../components/Trouble";

/** An error message about the history. The rest of the page keeps working. */
export function HistoryTrouble({ report }: { report: Report }) {
  return <Trouble report={report} className="mx-5 my-2" testid="history-trouble" />;
}
