import type { Report } from "../bridge/bindings";
import { reportWords } from "../words/report";
import { ErrorCode } from "./ErrorCode";

/**
 * What a report says, as one run of text: what happened, its code, which leads to its page, what to do
 * about it, the engine's own words.
 */
export function Reported({ report }: { readonly report: Report }) {
  const { what, hint, detail } = reportWords(report);
  return (
    <span data-code={report.code}>
      {what} <ErrorCode code={report.code} /> <span className="text-dim">{hint}</span>
      {detail !== null && <EngineWords text={detail} />}
    </span>
  );
}

/** What the engine says in English, below what the window says in another language. */
export function EngineWords({ text }: { readonly text: string }) {
  return (
    <span lang="en" dir="auto" className="block text-sm break-words whitespace-pre-line text-dim">
      {text}
    </span>
  );
}
