/** The large JSON editor, based on CodeMirror. Import it lazily, so that it stays a separate chunk. */

import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { json } from "@codemirror/lang-json";
import { bracketMatching, indentOnInput } from "@codemirror/language";
import { type Diagnostic, linter, lintGutter, setDiagnostics } from "@codemirror/lint";
import { Compartment, EditorState } from "@codemirror/state";
import { drawSelection, EditorView, keymap, lineNumbers } from "@codemirror/view";
import { useEffect, useRef } from "react";

import type { ManifestProblem } from "../../../ipc/bindings";
import { COLOURS } from "../../results/code/look";
import { parseJson } from "../model/json";

const LOOK = EditorView.theme({
  "&": { backgroundColor: "var(--bg)", color: "var(--text)", fontSize: "12px", border: "1px solid var(--control)" },
  ".cm-content": { fontFamily: "var(--font-mono)", caretColor: "var(--text)", minHeight: "8em" },
  ".cm-scroller": { maxHeight: "60vh", overflow: "auto" },
  ".cm-gutters": { backgroundColor: "var(--sidebar)", color: "var(--faint)", border: "none" },
  ".cm-cursor": { borderLeftColor: "var(--text)" },
  "&.cm-focused .cm-selectionBackground, .cm-selectionBackground": { backgroundColor: "var(--selected) !important" },
  ".cm-tooltip": { backgroundColor: "var(--raised)", color: "var(--text)", border: "1px solid var(--control)" },
});

function mistakes(view: EditorView): Diagnostic[] {
  const text = view.state.doc.toString();
  if (text.trim() === "") return [];
  const read = parseJson(text);
  if ("ok" in read) return [];
  const from = Math.min(read.problem.offset, text.length);
  return [{ from, to: Math.min(from + 1, text.length), severity: "error", message: read.problem.message }];
}

/** Converts problems to editor diagnostics. Each marks the JSON token at the problem's line and column. */
function marked(state: EditorState, problems: readonly ManifestProblem[]): Diagnostic[] {
  return problems.map(({ line, column, message, hint, severity }) => {
    const { from, to, text } = state.doc.line(Math.min(line, state.doc.lines));
    const start = Math.min(from + Array.from(text).slice(0, column - 1).join("").length, to);
    const token = /^("([^"\\]|\\.)*"|[\w.+-]+|.)/u.exec(text.slice(start - from))?.[0] ?? "";
    return { from: start, to: Math.min(start + token.length, to), severity, message: hint === "" ? message : `${message} ${hint}` };
  });
}

interface Props {
  readonly id: string;
  readonly label: string;
  readonly text: string;
  readonly describedBy: string | undefined;
  readonly invalid: boolean;
  /** Problems to mark instead of JSON syntax errors. */
  readonly problems?: readonly ManifestProblem[] | undefined;
  readonly onText: (text: string) => void;
}

export default function CodeEditor({ id, label, text, describedBy, invalid, problems, onText }: Props) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const report = useRef(onText);
  const first = useRef(text);
  const words = useRef(new Compartment());
  const marksOwn = useRef(problems === undefined);

  useEffect(() => {
    report.current = onText;
  }, [onText]);

  useEffect(() => {
    if (host.current === null) return undefined;
    const made = new EditorView({
      parent: host.current,
      state: EditorState.create({
        doc: first.current,
        extensions: [
          lineNumbers(),
          history(),
          drawSelection(),
          indentOnInput(),
          bracketMatching(),
          json(),
          marksOwn.current ? linter(mistakes, { delay: 300 }) : [],
          lintGutter(),
          COLOURS,
          LOOK,
          EditorView.lineWrapping,
          words.current.of([]),
          // Tab indents. CodeMirror lets Tab move the focus if Escape was pressed just before.
          keymap.of([...defaultKeymap, ...historyKeymap, indentWithTab]),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) report.current(update.state.doc.toString());
          }),
        ],
      }),
    });
    view.current = made;
    return () => {
      made.destroy();
      view.current = null;
    };
  }, []);

  useEffect(() => {
    const attributes: Record<string, string> = { id, tabindex: "0", "aria-label": label, "aria-invalid": String(invalid) };
    if (describedBy !== undefined) attributes["aria-describedby"] = describedBy;
    view.current?.dispatch({
      effects: words.current.reconfigure(EditorView.contentAttributes.of(attributes)),
    });
  }, [id, label, describedBy, invalid]);

  useEffect(() => {
    const made = view.current;
    if (made === null || made.state.doc.toString() === text) return;
    made.dispatch({ changes: { from: 0, to: made.state.doc.length, insert: text } });
  }, [text]);

  useEffect(() => {
    const made = view.current;
    if (made !== null && problems !== undefined) made.dispatch(setDiagnostics(made.state, marked(made.state, problems)));
  }, [problems]);

  return <div ref={host} />;
}
