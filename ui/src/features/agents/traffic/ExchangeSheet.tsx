/** A sheet with one request of an agent and its response, as far as they were recorded. */
import type { Exchange } from "../../../ipc/bindings";
import { Band } from "../../../components/Badge";
import { Sheet } from "../../../components/Sheet";
import { sizeWord } from "../../results/content";
import { TextPart } from "../../results/text/TextPart";
import { decimal } from "../../../lib/format";
import { duration, moment } from "../../../lib/time";
import { pathOf } from "../faces";

/** A duration, given in microseconds, as text, such as `84 µs`, `3.2 ms` or `1.4 s`. */
export function exchangeTime(us: number): string {
  if (us < 1_000) return `${us} µs`;
  if (us < 10_000) return `${decimal(us / 1_000, 1)} ms`;
  return duration(us / 1_000);
}

export function ExchangeSheet({ exchange, onClose }: { exchange: Exchange; onClose: () => void }) {
  const { client, endpoint, method, member, tool, atMs, durationUs, error, dropped } = exchange;
  const file = `${method.replace(/\W+/g, "-")}-${exchange.seq}`;
  const facts = [["Client", client], ["Endpoint", pathOf(endpoint)], ...(member === null ? [] : [["Member", member]]), ["Time", moment(atMs)], ["Took", exchangeTime(durationUs)]];
  return (
    <Sheet title={<><bdi className="font-mono text-base">{method}</bdi>{tool !== null && <> <bdi>{tool}</bdi></>}</>} onClose={onClose}>
      <div className="flex flex-col gap-4 p-4" data-testid="exchange">
        {error !== null && <Band tone="bad" icon="cross">{error}</Band>}
        <dl className="grid grid-cols-[max-content_minmax(0,1fr)] gap-x-4 gap-y-1 select-text">
          {facts.map(([name, value]) => (
            <div key={name} className="contents">
              <dt className="text-dim">{name}</dt>
              <dd className="break-words"><bdi>{value}</bdi></dd>
            </div>
          ))}
        </dl>
        {dropped.length > 0 && <p data-testid="exchange-dropped" className="text-sm break-words text-dim">Removed before the call, because the client adds it to every tool: {dropped.join(", ")}</p>}
        <Side side="request" text={exchange.request} bytes={exchange.requestBytes} file={`${file}-request`} />
        <Side side="answer" text={exchange.response} bytes={exchange.responseBytes} file={`${file}-answer`} />
      </div>
    </Sheet>
  );
}

/** The text of the request or of the response. The engine records only the beginning of a long text. */
function Side({ side, text, bytes, file }: { side: "request" | "answer"; text: string; bytes: number; file: string }) {
  const title = side === "request" ? "Request" : "Answer";
  const kept = new TextEncoder().encode(text).length;
  return (
    <section aria-label={title} className="flex flex-col gap-1">
      <h3 className="font-semibold">
        {title} <span className="text-sm font-normal text-dim">{sizeWord(bytes)}{bytes > kept && `, the first ${sizeWord(kept)} recorded`}, secrets masked</span>
      </h3>
      <TextPart text={text} label={side} place={`traffic ${side}`} fileName={file} />
    </section>
  );
}
