/** One request of an agent and its answer, as far as they were recorded. */
import { useEffect, useRef, type KeyboardEvent } from "react";

import type { Exchange } from "../../bridge/bindings";
import { Button } from "../../parts/Button";
import { Sign } from "../../parts/Icon";
import { sizeWord } from "../../results/content";
import { TextPart } from "../../results/text/TextPart";
import { moment } from "../../words/time";
import { pathOf } from "../faces";
import { exchangeTime } from "./exchangeTime";

const SIDES = {
  request: { title: "Request", text: "request" },
  answer: { title: "Answer", text: "answer" },
};

/** `kept` is how much of a longer one is there. */
const size = (whole: string, kept: string | null) => `${whole}${kept === null ? "" : `, its first ${kept} are kept`}, secrets masked`;

export function ExchangeView({ exchange, onClose }: { exchange: Exchange; onClose: () => void }) {
  const { client, endpoint, method, member, tool, atMs, durationUs, error, dropped } = exchange;
  const panel = useRef<HTMLDivElement>(null);
  const from = useRef<Element | null>(null);
  useEffect(() => {
    from.current = document.activeElement;
  }, []);
  const close = () => {
    const back = from.current;
    onClose();
    if (back instanceof HTMLElement && back.isConnected) back.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || event.defaultPrevented) return;
    event.preventDefault();
    close();
  };
  const file = `${method.replace(/\W+/g, "-")}-${exchange.seq}`;
  return (
    // Escape closes it, wherever inside the focus is.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <div
      ref={panel}
      role="region"
      aria-label="Request and answer"
      onKeyDown={onKeyDown}
      className="flex min-h-0 min-w-0 flex-col gap-2 overflow-y-auto p-3 wide:flex-1 max-wide:min-h-72 max-wide:shrink-0"
    >
      <header className="flex items-start gap-2">
        <div className="min-w-0 flex-1">
          <h2 className="font-semibold break-words">
            <bdi className="font-mono">{method}</bdi>
            {tool !== null && (
              <>
                {" "}<bdi>{tool}</bdi>
              </>
            )}
            {member !== null && <span className="font-normal text-dim"> of {member}</span>}
          </h2>
          <p className="text-sm break-words text-dim">
            <bdi>{client}</bdi> · {pathOf(endpoint)} · {moment(atMs)} · {exchangeTime(durationUs)}
          </p>
        </div>
        <Button look="quiet" aria-label="Close" onClick={close}><Sign of="close" /></Button>
      </header>
      {error !== null && (
        <p className="rounded-sm border border-bad bg-bad-fill px-2 py-1 break-words">
          <Sign of="cross" className="text-bad me-1" />
          {error}
        </p>
      )}
      {dropped.length > 0 && <p data-testid="exchange-dropped" className="text-sm break-words text-dim">Removed before the call, as the client adds it to every tool: {dropped.join(", ")}</p>}
      <Side side="request" text={exchange.request} bytes={exchange.requestBytes} file={`${file}-request`} />
      <Side side="answer" text={exchange.response} bytes={exchange.responseBytes} file={`${file}-answer`} />
    </div>
  );
}

/** The beginning of a side is kept; the rest of a long one is not. */
function Side({ side, text, bytes, file }: { side: "request" | "answer"; text: string; bytes: number; file: string }) {
  const kept = new TextEncoder().encode(text).length;
  const { title, text: label } = SIDES[side];
  return (
    <section aria-label={title}>
      <h3 className="text-sm text-dim">
        {title} · {size(sizeWord(bytes), bytes > kept ? sizeWord(kept) : null)}
      </h3>
      <TextPart text={text} label={label} place={`traffic ${side}`} fileName={file} />
    </section>
  );
}
