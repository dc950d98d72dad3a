/**
 * Read-only text or JSON with search and folding. Loaded as a separate chunk: only `CodeView` imports this
 * file.
 */
import { defaultKeymap } from "@codemirror/commands";
import { json } from "@codemirror/lang-json";
import { codeFolding, foldEffect, foldGutter, foldKeymap, unfoldAll } from "@codemirror/language";
import { setDiagnostics } from "@codemirror/lint";
import { openSearchPanel, search, searchKeymap } from "@codemirror/search";
import { EditorState } from "@codemirror/state";
import { EditorView, keymap } from "@codemirror/view";
import { useEffect, useRef, useState } from "react";

import { keysOf } from "../../form/model/pointer";
import { CopyButton } from "../../../components/CopyButton";
import { IconButton } from "../../../components/IconButton";
import { counted, number } from "../../../lib/format";
import type { CodeViewProps } from "./CodeView";
import { readOnly } from "./look";
import { foldsOf, placeAt, rangeOf } from "./pointers";

/** The labels of the search panel, which are in lower case by default. */
const SEARCH_WORDS = { next: "Next", previous: "Previous", "match case": "Match case", regexp: "Regular expression", "by word": "Whole words" };

/** The text to copy for a value: the decoded content of a string, or other JSON without its outer indentation. */
function copied(state: EditorState, from: number, to: number): string {
  const text = state.sliceDoc(from, to);
  const margin = /^ */.exec(state.doc.lineAt(from).text)?.[0] ?? "";
  return text.startsWith('"') ? String(JSON.parse(text)) : text.replaceAll(`\n${margin}`, "\n");
}

export default function Viewer({ text, label, isJson = false, fill = false, problems, goTo = null, finds = false }: CodeViewProps) {
  const host = useRef<HTMLDivElement>(null);
  const [view, setView] = useState<EditorView | null>(null);
  const [place, setPlace] = useState<ReturnType<typeof placeAt>>(null);
  useEffect(() => {
    if (host.current === null) return undefined;
    const made = new EditorView({
      parent: host.current,
      state: EditorState.create({
        doc: text,
        extensions: [
          readOnly(label),
          isJson ? [json(), codeFolding(), foldGutter()] : [],
          search({ top: true }),
          EditorState.phrases.of(SEARCH_WORDS),
          keymap.of([...searchKeymap, ...foldKeymap, ...defaultKeymap]),
          EditorView.updateListener.of(({ state, selectionSet }) => {
            if (isJson && selectionSet) setPlace(placeAt(state));
          }),
        ],
      }),
    });
    setView(made);
    setPlace(null);
    return () => made.destroy();
  }, [text, label, isJson]);
  useEffect(() => {
    if (view === null || problems === undefined) return;
    const found = [...problems].map(([pointer, message]) => ({ from: 0, to: 0, ...rangeOf(view.state, keysOf(pointer)), severity: "warning" as const, message }));
    view.dispatch(setDiagnostics(view.state, found));
  }, [view, problems]);
  useEffect(() => {
    if (view === null || goTo === null) return;
    const range = rangeOf(view.state, goTo.keys);
    if (range === null) return;
    view.dispatch({ selection: { anchor: range.from, head: range.to }, effects: EditorView.scrollIntoView(range.from, { y: "center" }) });
    view.focus();
  }, [view, goTo]);
  useEffect(() => {
    if (view !== null && finds) openSearchPanel(view);
  }, [view, finds]);
  const collapse = () => view?.dispatch({ effects: foldsOf(view.state).map((range) => foldEffect.of(range)) });
  const lines = view?.state.doc.lines ?? 0;
  return (
    <div className={`flex min-h-0 min-w-0 flex-col ${fill ? "flex-1" : ""}`}>
      <div ref={host} data-viewport className={`flex min-h-0 flex-col *:min-h-0 ${fill ? "flex-1 *:flex-1" : "max-h-[65vh]"}`} />
      <div className="flex shrink-0 flex-wrap items-center text-sm text-faint">
        {place === null ? (
          <span className="flex-1">{counted(lines, { one: "line", other: "lines" })}, {number(text.length)} characters</span>
        ) : (
          <>
            <code className="min-w-0 flex-1 truncate font-mono" data-testid="json-place">{place.pointer || "root"}</code>
            <CopyButton text={() => place.pointer} what="path" shown="Copy path" />
            <CopyButton text={() => (view === null ? "" : copied(view.state, place.from, place.to))} what="value" shown="Copy value" />
          </>
        )}
        {isJson && <IconButton icon="fold" label="Collapse all" onClick={collapse} />}
        {isJson && <IconButton icon="unfold" label="Expand all" onClick={() => view && unfoldAll(view)} />}
        <IconButton icon="search" label={`Find in ${label}`} onClick={() => view && openSearchPanel(view)} />
      </div>
    </div>
  );
}
