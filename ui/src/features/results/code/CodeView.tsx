/** Text or JSON of any length. Short text is on the page at once, the viewer for the rest is loaded when it is first needed. */
import { lazy, Suspense, useMemo } from "react";

import { EditorBoundary } from "../../form/view/EditorBoundary";

const Viewer = lazy(() => import("./Viewer"));

const SHORT_CHARACTERS = 4_000;
const SHORT_LINES = 60;

export interface CodeViewProps {
  readonly text: string;
  readonly label: string;
  /** JSON is coloured and can be folded. */
  readonly isJson?: boolean;
  /** Fills the room that there is, instead of being as high as its text needs. */
  readonly fill?: boolean;
  /** Problems at places of the JSON, by JSON Pointer. */
  readonly problems?: ReadonlyMap<string, string>;
  /** A place to select; another object selects it again. */
  readonly goTo?: { readonly keys: readonly string[] } | null;
}

/** The beginning of a text that is short enough for the page. */
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
    // A region that scrolls has to be reached by the keyboard.
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
