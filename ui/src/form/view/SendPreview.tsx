/** What will be sent, before it is: folded, with its size, and as it changes. */

import { useDeferredValue, useMemo, useState } from "react";

import { Sign } from "../../parts/Icon";
import { number } from "../../words/format";
import type { Draft } from "../model/draft";
import { toEditableText, toJsonText } from "../model/json";
import type { FormNode } from "../model/node";
import { placeName } from "../model/pointer";
import { masked } from "../model/secrets";

/** Longer text is cut: arguments may be several mebibytes. */
const TEXT_MAX = 20_000;

const UTF_8 = new TextEncoder();

function sizeOf(text: string): string {
  const bytes = UTF_8.encode(text).length;
  return bytes < 1024 ? `${bytes} B` : `${number(Math.round((bytes / 1024) * 10) / 10)} KiB`;
}

export function SendPreview({ node, draft, id }: { node: FormNode; draft: Draft; id: string }) {
  const [open, setOpen] = useState(false);
  // The typing comes first; this follows when there is time.
  const settled = useDeferredValue(draft);
  const written = useMemo(() => toJsonText(settled), [settled]);
  const size = useMemo(() => ("ok" in written ? sizeOf(written.ok) : null), [written]);
  const [first] = "errors" in written ? written.errors : [];
  return (
    <section className="border-t border-line px-3 py-1 text-sm" aria-label="Will be sent">
      <button type="button" aria-expanded={open} aria-controls={id} className="text-dim hover:text-text" onClick={() => setOpen(!open)}>
        <Sign of={open ? "chevronDown" : "chevronRight"} className="me-1 text-faint" />
        Will be sent
        {size !== null && <span className="text-faint"> · {size}</span>}
      </button>
      {first !== undefined && (
        <span data-testid="send-blocked" className="text-bad">
          {" "}<Sign of="cross" className="me-1" />not yet: {placeName(first.pointer)}: {first.message}
        </span>
      )}
      <div id={id} hidden={!open}>
        {open && <PreviewText node={node} draft={settled} />}
      </div>
    </section>
  );
}

function PreviewText({ node, draft }: { node: FormNode; draft: Draft }) {
  const text = useMemo(() => {
    const whole = draft.kind === "absent" ? "{}" : toEditableText(masked(node, draft));
    return whole.length > TEXT_MAX ? `${whole.slice(0, TEXT_MAX)}\n… ${number(whole.length - TEXT_MAX)} more characters` : whole;
  }, [node, draft]);
  return (
    // Scrolled by the keyboard too.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <pre tabIndex={0} aria-label="What will be sent" className="max-h-48 overflow-auto font-mono whitespace-pre-wrap [overflow-wrap:anywhere]">
      {text}
    </pre>
  );
}
