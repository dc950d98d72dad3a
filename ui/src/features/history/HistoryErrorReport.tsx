import type { Report } from "../../ipc/bindings";
import { ErrorReport } from "../../components/ErrorReport";

/** An error message about the history. The rest of the page keeps working. */
export function HistoryErrorReport({ report }: { report: Report }) {
  return <ErrorReport report={report} className="mx-5 my-2" testid="history-trouble" />;
}
