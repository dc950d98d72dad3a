import type { Report } from "../bridge/bindings";
import { reportWords } from "../words/report";
import { ErrorCode } from "./ErrorCode";

interface Props {
  readonly report: Report;
  /** Whether the code stands with it, which leads to its page. */
  readonly withCode?: boolean;
}

/** What a report says, as one run of text: what happened, what to do about it, the engine's own words. */
export function Reported({ report, withCode = false }: Props) {
  const { what, hint, detail } = reportWords(report);
  return (
    <>
      {what} {withCode && <><ErrorCode code={report.code} />{" "}</>}<span className="text-dim">{hint}</span>
      {detail !== null && <EngineWords text={detail} />}
    </>
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
