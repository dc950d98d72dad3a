/** A JSON editor for values that can't be shown as fields, or that the user chose to edit as JSON. */

import { lazy, Suspense, useState } from "react";

import { type Draft, sameValue } from "../model/draft";
import { draftFromJson, toEditableText, toJsonText } from "../model/json";
import { placeName } from "../model/pointer";
import { EditorBoundary } from "./EditorBoundary";
import { INPUT } from "./controls";

const CodeEditor = lazy(() => import("./CodeEditor"));

interface JsonBoxProps {
  readonly draft: Draft;
  readonly onDraft: (draft: Draft) => void;
  readonly id: string;
  readonly label: string;
  readonly describedBy?: string | undefined;
  readonly invalid?: boolean;
  /** Whether to use the CodeMirror editor, which is loaded on first use, instead of a plain text area. */
  readonly large?: boolean;
}

/** The message of the first problem in a draft, with the path of its value; `null` if the draft is valid JSON. */
function insideProblem(draft: Draft): string | null {
  const written = toJsonText(draft);
  const [first] = "errors" in written && draft.kind !== "absent" ? written.errors : [];
  return first === undefined ? null : `${placeName(first.pointer)}: ${first.message}`;
}

export function JsonBox({ draft, onDraft, id, label, describedBy, invalid = false, large = false }: JsonBoxProps) {
  // The text keeps the user's formatting. It is replaced only when the value changes outside of this editor.
  const [held, setHeld] = useState(() => ({ draft, text: toEditableText(draft) }));
  if (held.draft !== draft && !sameValue(held.draft, draft)) {
    setHeld({ draft, text: toEditableText(draft) });
  }
  const change = (text: string) => {
    const next = draftFromJson(text);
    setHeld({ draft: next, text });
    onDraft(next);
  };
  const problem = draft.kind === "raw" ? draft.problem : insideProblem(draft);
  const lines = held.text.split("\n").length;
  const isWrong = invalid || problem !== null;
  const descriptions = [...(describedBy === undefined ? [] : [describedBy]), ...(problem === null ? [] : [`${id}-problem`])];
  const plain = (
    <textarea
      id={id}
      aria-label={label}
      aria-describedby={descriptions.join(" ") || undefined}
      aria-invalid={isWrong}
      className={`${INPUT} font-mono text-sm`}
      rows={large ? 18 : Math.min(16, Math.max(1, lines))}
      placeholder="JSON"
      spellCheck={false}
      autoComplete="off"
      value={held.text}
      onChange={(event) => change(event.target.value)}
    />
  );
  return (
    <div>
      {large ? (
        <EditorBoundary fallback={plain}>
          <Suspense fallback={plain}>
            <CodeEditor
              {...{ id, label }}
              text={held.text}
              describedBy={[...descriptions, `${id}-leave`].join(" ")}
              invalid={isWrong}
              onText={change}
            />
            <p data-testid="json-leave" id={`${id}-leave`} className="text-sm text-faint">Esc, then Tab, leaves the editor.</p>
          </Suspense>
        </EditorBoundary>
      ) : (
        plain
      )}
      {problem !== null && <p id={`${id}-problem`} className="text-sm text-bad">{problem}</p>}
    </div>
  );
}
