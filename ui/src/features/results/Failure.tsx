/** A call without a result: the error, its cause, and buttons for the next step. */

import type { CallEnd, LogLine } from "../../ipc/bindings";
import { placeName } from "../form/model/pointer";
import { readable } from "../member/lines";
import { Button } from "../../components/Button";
import { CopyButton } from "../../components/CopyButton";
import { ErrorCode } from "../../components/ErrorCode";
import { counted } from "../../lib/format";
import { duration } from "../../lib/time";
import type { CallFace, FaceName } from "./face";
import { TextPart } from "./text/TextPart";

/** An explanation for each kind of failure. */
const KINDS: Partial<Record<FaceName, string>> = {
  protocol: "The server rejected the request. The tool may not have run.",
  transport: "Connection lost. The tool may or may not have finished.",
  limit: "Timed out. Guild Hall asked the server to stop.",
  cancelled: "Cancelled. The server may still be working.",
  unsent: "Nothing was sent to the server.",
};

interface Props {
  readonly end: Extract<CallEnd, { kind: "failed" }>;
  readonly face: CallFace;
  readonly durationMs: number;
  readonly onRestart?: (() => void) | undefined;
  readonly onRetry?: ((timeoutMs: number) => void) | undefined;
}

export function Failure({ end, face, durationMs, onRestart, onRetry }: Props) {
  const longer = Math.max(60_000, Math.ceil((durationMs * 2) / 10_000) * 10_000);
  const kind = KINDS[face.name];
  const { message, hint } = end.report;
  return (
    <section aria-label="Failure" className={`flex flex-col gap-1 rounded-md border px-3 py-2 ${face.frame} ${face.fill}`}>
      <p className="whitespace-pre-wrap [overflow-wrap:anywhere]">{message}</p>
      {hint !== "" && <p className="text-dim [overflow-wrap:anywhere]">{hint}</p>}
      {kind !== undefined && <p className="text-sm text-dim">{kind}</p>}
      <p className="text-sm text-faint">
        <ErrorCode code={end.report.code} />
        {end.report.member !== null && ` · ${end.report.member}`}
      </p>
      {end.rpc !== null && (
        <dl className="py-1">
          <div className="flex gap-2">
            <dt className="text-faint">Code</dt>
            <dd className="font-mono">{end.rpc.code}</dd>
          </div>
          <div className="flex gap-2">
            <dt className="text-faint">Message</dt>
            <dd className="min-w-0 whitespace-pre-wrap [overflow-wrap:anywhere]">{end.rpc.message}</dd>
          </div>
        </dl>
      )}
      {end.rpc !== null && end.rpc.data !== null && <TextPart text={end.rpc.data} label="data" title="Data" place="error data" fileName="error-data" />}
      {end.arguments.length > 0 && (
        <ul className="py-1 text-sm">
          {end.arguments.map((error, index) => (
            <li key={index}>
              <code className="font-mono">{placeName(error.pointer)}</code>: {error.message}
            </li>
          ))}
        </ul>
      )}
      {end.stderr.length > 0 && <LastLines lines={end.stderr} />}
      <div className="flex gap-1 py-1">
        {face.name === "transport" && onRestart !== undefined && <Button onClick={onRestart}>Restart</Button>}
        {(face.name === "limit" || face.name === "cancelled") && onRetry !== undefined && (
          <Button onClick={() => onRetry(longer)}>Retry with {duration(longer)}</Button>
        )}
      </div>
    </section>
  );
}

function LastLines({ lines }: { lines: readonly LogLine[] }) {
  const text = lines.map((line) => readable(line.text)).join("\n");
  return (
    <section aria-label="Last log lines" className="rounded-sm bg-sidebar">
      <header className="flex items-center px-2 text-sm text-dim">
        <span className="grow">Last {counted(lines.length, { one: "line", other: "lines" })} of the log</span>
        <CopyButton icon text={() => text} what="log lines" />
      </header>
      {/* A scrollable region needs a `tabIndex`, so that the keyboard can scroll it. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <pre tabIndex={0} className="max-h-64 overflow-auto px-2 pb-1 font-mono text-sm whitespace-pre-wrap [overflow-wrap:anywhere]">
        {text}
      </pre>
    </section>
  );
}
