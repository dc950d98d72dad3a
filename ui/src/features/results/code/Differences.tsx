/** Compares two texts line by line. Loaded as a separate chunk: only `DiffView` imports this file. */
import { defaultKeymap } from "@codemirror/commands";
import { json } from "@codemirror/lang-json";
import { type Chunk, getChunks, MergeView, unifiedMergeView } from "@codemirror/merge";
import { search, searchKeymap } from "@codemirror/search";
import { EditorState, Text } from "@codemirror/state";
import { EditorView, keymap } from "@codemirror/view";
import { useEffect, useMemo, useRef, useState } from "react";

import { Button } from "../../../components/Button";
import { Sign } from "../../../components/Icon";
import { counted } from "../../../lib/format";
import type { DiffProps } from "./DiffView";
import { readOnly } from "./look";

/** The limits of the diff algorithm: `scanLimit` is in characters per changed range, `timeout` in milliseconds. */
const LIMITS = { scanLimit: 2_000, timeout: 1_000 };
/**
 * The maximum length of texts in the unified view, in characters. Longer texts are shown side by side, because only
 * that view renders just the visible lines.
 */
const UNIFIED_MAX = 500_000;
const UNCHANGED = { margin: 3, minSize: 4 };

function linesOf(text: Text, from: number, to: number): number {
  return to > from ? text.lineAt(Math.min(to - 1, text.length)).number - text.lineAt(from).number + 1 : 0;
}

/** Counts the added and removed lines. `isRough` is set if the diff reached its limits and may be imprecise. */
function tally(chunks: readonly Chunk[], left: Text, right: Text) {
  const sum = (count: (chunk: Chunk) => number) => chunks.reduce((total, chunk) => total + count(chunk), 0);
  return {
    added: sum(({ fromB, toB }) => linesOf(right, fromB, toB)),
    removed: sum(({ fromA, toA }) => linesOf(left, fromA, toA)),
    isRough: chunks.some(({ precise }) => !precise),
  };
}

export default function Differences({ left, right, label, isJson = false }: DiffProps) {
  const host = useRef<HTMLDivElement>(null);
  const [all, setAll] = useState(false);
  const [a, b] = useMemo(() => [left, right].map((text) => Text.of(text.split(/\r\n?|\n/))) as [Text, Text], [left, right]);
  const same = useMemo(() => a.eq(b), [a, b]);
  const [found, setFound] = useState<ReturnType<typeof tally> | null>(null);
  useEffect(() => {
    if (host.current === null || same) return undefined;
    const parent = host.current;
    const shared = (name: string) => [readOnly(name), isJson ? json() : [], search({ top: true }), keymap.of([...searchKeymap, ...defaultKeymap])];
    const collapseUnchanged = all ? undefined : UNCHANGED;
    const made =
      a.length + b.length > UNIFIED_MAX
        ? new MergeView({
            a: { doc: a, extensions: shared(`${label}, before`) },
            b: { doc: b, extensions: shared(`${label}, after`) },
            parent,
            diffConfig: LIMITS,
            ...(collapseUnchanged && { collapseUnchanged }),
          })
        : new EditorView({
            parent,
            state: EditorState.create({
              doc: b,
              extensions: [shared(label), unifiedMergeView({ original: a, mergeControls: false, diffConfig: LIMITS, ...(collapseUnchanged && { collapseUnchanged }) })],
            }),
          });
    setFound(tally((made instanceof MergeView ? made.chunks : getChunks(made.state)?.chunks) ?? [], a, b));
    return () => made.destroy();
  }, [a, b, label, isJson, all, same]);
  return (
    <div className="flex min-h-0 flex-col gap-1">
      <div className="flex flex-wrap items-center gap-2">
        <p {...(same || found !== null ? { "data-testid": "comparison-summary" } : {})} role="status" className="grow text-dim">
          {same && "No differences"}
          {!same && found !== null && (
            <>
              <span className="text-ok">+</span> {counted(found.added, { one: "line", other: "lines" })} added, <span className="text-bad">−</span> {counted(found.removed, { one: "line", other: "lines" })} removed
              {found.isRough && <span className="text-warn"> <Sign of="warning" className="me-1" />Too many differences to match every line</span>}
            </>
          )}
        </p>
        {!same && <Button look="quiet" aria-pressed={all} onClick={() => setAll(!all)}>{all ? "Only changes" : "All lines"}</Button>}
      </div>
      {!same && <div ref={host} data-viewport className="flex max-h-[65vh] min-h-0 flex-col overflow-auto rounded-sm border border-line *:min-h-0" />}
    </div>
  );
}
