import type { ReactNode } from "react";

import type { Report } from "../bridge/bindings";

/** What is wrong with the history, and what to do about it. The rest of the window goes on. */
export function Trouble({ report, children }: { report: Report; children?: ReactNode }) {
  return (
    <section
      role="alert"
      data-testid="history-trouble"
      data-code={report.code}
      className="m-2 max-h-40 shrink-0 overflow-y-auto rounded-md border border-bad bg-bad-fill px-3 py-2 select-text"
    >
      <p className="break-words">
        <span aria-hidden className="text-bad">✕ </span>
        {report.message} <code className="font-mono text-sm text-dim">{report.code}</code>
      </p>
      {report.hint !== "" && <p className="break-words text-dim">{report.hint}</p>}
      {children}
    </section>
  );
}
