import type { ReactNode } from "react";

import type { Report } from "../ipc/bindings";
import { ErrorCode } from "./ErrorCode";
import { Sign } from "./Icon";

interface Props {
  readonly report: Report;
  readonly className?: string;
  readonly testid?: string;
  /** Buttons or other content below the report. */
  readonly children?: ReactNode;
}

/** An alert with a report: its message, its error code and its hint. */
export function ErrorReport({ report, className = "", testid = "trouble", children }: Props) {
  return (
    <div
      role="alert"
      data-testid={testid}
      data-code={report.code}
      className={`max-h-40 shrink-0 overflow-y-auto rounded-md border border-bad bg-bad-fill px-3 py-2 select-text ${className}`}
    >
      <p className="break-words">
        <Sign of="cross" className="text-bad me-1" />
        {report.message} <ErrorCode code={report.code} />
      </p>
      {report.hint !== "" && <p className="break-words text-dim">{report.hint}</p>}
      {children}
    </div>
  );
}
