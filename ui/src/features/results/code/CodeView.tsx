/**
 * Text or JSON of any length. A short text is rendered directly. For longer text and JSON, the viewer is loaded
 * when it is first needed.
 */
import { lazy, Suspense, useMemo } from "react";

import { EditorBoundary } from "../../form/view/EditorBoundary";

const Viewer = lazy(() => import("./Viewer"));

const SHORT_CHARACTERS = 4_000;
const SHORT_LINES = 60;

export interface CodeViewProps {
  readonly text: string;
  readonly label: string;
  /** Whether the text is JSON, which is highlighted and can be folded. */
  readonly isJson?: boolean;
  /** Whether the viewer fills the available height instead of adapting to the text. */
  readonly fill?: boolean;
  /** Validation errors by the JSON Pointer of the value they belong to. */
  readonly problems?: ReadonlyMap<string, string>;
  /** The keys of a value to select. A new object selects the value again, even if the keys are the same. */
  readonly goTo?: { readonly keys: readonly string[] } | null;
  /** Whether the viewer opens with its search field. */
  readonly finds?: boolean;
}

/** The beginning of the text, up to the limits for direct rendering. */
function beginning(text: string): string {
  let end = -1;
  for (let line = 0; line < SHORT_LINES; line += 1) {
    end = text.indexOf("\n", end + 1);
    if (end < 0) break;
  }
  return text.slice(0, Math.min(SHORT_CHARACTERS, end < 0 ? text.length : end));
}

export function CodeView(props: CodeViewProps) {
  const { text, label, isJson = false, fill = false } = props;
  const short = useMemo(() => beginning(text), [text]);
  const plain = (
    // A scrollable region needs a `tabIndex`, so that the keyboard can scroll it.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <pre tabIndex={0} aria-label={label} className="overflow-x-auto font-mono text-sm whitespace-pre-wrap [overflow-wrap:anywhere]">
      {short}
    </pre>
  );
  if (!isJson && !fill && short.length === text.length) return plain;
  return (
    <EditorBoundary fallback={plain}>
      <Suspense fallback={plain}>
        <Viewer {...props} />
      </Suspense>
    </EditorBoundary>
  );
}
