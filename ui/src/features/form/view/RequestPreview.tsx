/** A live preview of the arguments that Run would send, with their size. Secret values are masked. */

import { useDeferredValue, useMemo } from "react";

import { Sign } from "../../../components/Icon";
import { number } from "../../../lib/format";
import type { Draft } from "../model/draft";
import { toEditableText, toJsonText } from "../model/json";
import type { FormNode } from "../model/node";
import { placeName } from "../model/pointer";
import { masked } from "../model/secrets";

/** Maximum characters shown. Arguments may have several MiB. */
const TEXT_MAX = 20_000;

const UTF_8 = new TextEncoder();

function sizeOf(text: string): string {
  const bytes = UTF_8.encode(text).length;
  return bytes < 1024 ? `${bytes} B` : `${number(Math.round((bytes / 1024) * 10) / 10)} KiB`;
}

export function RequestPreview({ node, draft, id }: { node: FormNode; draft: Draft; id: string }) {
  // The draft is deferred, so that the preview does not slow down typing.
  const settled = useDeferredValue(draft);
  const written = useMemo(() => toJsonText(settled), [settled]);
  const size = useMemo(() => ("ok" in written ? sizeOf(written.ok) : null), [written]);
  const text = useMemo(() => {
    const whole = settled.kind === "absent" ? "{}" : toEditableText(masked(node, settled));
    return whole.length > TEXT_MAX ? `${whole.slice(0, TEXT_MAX)}\n… ${number(whole.length - TEXT_MAX)} more characters` : whole;
  }, [node, settled]);
  const [first] = "errors" in written ? written.errors : [];
  return (
    <section id={id} className="flex h-45 shrink-0 flex-col border-t border-line text-sm" aria-label="Request preview">
      <p className="px-5 pt-2 text-faint">
        Arguments
        {size !== null && ` · ${size}`}
        {first !== undefined && (
          <span data-testid="send-blocked" className="ms-2 text-bad">
            <Sign of="cross" className="me-1" />
            {placeName(first.pointer)}: {first.message}
          </span>
        )}
      </p>
      {/* The text is focusable, so that the keyboard can scroll it. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <pre tabIndex={0} aria-label="Arguments to send" className="min-h-0 flex-1 overflow-auto px-5 py-1 font-mono whitespace-pre-wrap [overflow-wrap:anywhere]">
        {text}
      </pre>
    </section>
  );
}
