import type { Report } from "../ipc/bindings";
import { ErrorCode } from "./ErrorCode";

/** A report as inline text: its message, its error code with a link to Help, and its hint. */
export function Reported({ report }: { readonly report: Report }) {
  return (
    <span data-code={report.code}>
      {report.message} <ErrorCode code={report.code} /> <span className="text-dim">{report.hint}</span>
    </span>
  );
}
