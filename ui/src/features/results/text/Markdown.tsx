import { lazy, Suspense } from "react";

import { EditorBoundary } from "../../form/view/EditorBoundary";
import { CodeView } from "../code/CodeView";

const Rendered = lazy(() => import("./Rendered"));

/** Longer text is only shown as plain text. */
const RENDERED_MAX = 200_000;
/** A heading, a list, a table or a fence where a paragraph can begin. */
const STRUCTURE = /(?:^|\n[ \t]*\n) {0,3}(?:#{1,6} +\S.*(?:\n[ \t]*(?:\n|[-*+] |\d+[.)] )|$)|[-*+] +\S|\d{1,9}[.)] +\S|`{3}|~{3}|\|.*\|[ \t]*\n *\|[ :|-]+\n?)/;
/** Quotes and lists inside of each other, deeper than anyone writes by hand. */
const TOO_DEEP = /^(?:[ \t]*(?:>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t]))){30}/m;

const MARKS = /[*_~`[\]<>|#&@\n]/g;
const MARKS_MAX = 20_000;
const SQUARES_MAX = 20_000_000;

/** Goes to the place in this window that an address names; `null` where it names none. */
export type Follow = (address: string) => (() => void) | null;

/** Parsing takes time with the square of the marks in a paragraph, and drawing with all of them. */
function isTooDense(text: string): boolean {
  let [all, squares] = [0, 0];
  for (const paragraph of text.split(/\n[ \t]*\n/)) {
    const marks = paragraph.match(MARKS)?.length ?? 0;
    all += marks;
    squares += marks * marks;
  }
  return all > MARKS_MAX || squares > SQUARES_MAX;
}

export function canRender(text: string): boolean {
  return text !== "" && text.length <= RENDERED_MAX && !TOO_DEEP.test(text) && !isTooDense(text);
}

export function isMarkdown(text: string): boolean {
  return canRender(text) && STRUCTURE.test(text);
}

/** Markdown as elements of the page. Nothing is fetched, HTML is shown as text, and no link is followed by itself. */
export function Markdown({ text, follow }: { text: string; follow?: Follow }) {
  const plain = <CodeView text={text} label="text" />;
  if (!canRender(text)) return plain;
  return (
    <EditorBoundary fallback={plain}>
      <Suspense fallback={plain}>
        <Rendered text={text} {...(follow && { follow })} />
      </Suspense>
    </EditorBoundary>
  );
}
