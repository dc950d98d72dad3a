import { lazy, Suspense } from "react";

import { EditorBoundary } from "../../form/view/EditorBoundary";
import { CodeView } from "../code/CodeView";

const Rendered = lazy(() => import("./Rendered"));

/** The maximum length of rendered Markdown, in characters. Longer text is shown as plain text. */
const RENDERED_MAX = 200_000;
/** Matches a heading, a list, a table or a code fence at the start of a paragraph. */
const STRUCTURE = /(?:^|\n[ \t]*\n) {0,3}(?:#{1,6} +\S.*(?:\n[ \t]*(?:\n|[-*+] |\d+[.)] )|$)|[-*+] +\S|\d{1,9}[.)] +\S|`{3}|~{3}|\|.*\|[ \t]*\n *\|[ :|-]+\n?)/;
/** Matches quotes and lists that are nested more deeply than people write by hand. Parsing them is slow. */
const TOO_DEEP = /^(?:[ \t]*(?:>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t]))){30}/m;

const MARKS = /[*_~`[\]<>|#&@\n]/g;
const MARKS_MAX = 20_000;
const SQUARES_MAX = 20_000_000;

/**
 * Returns a function that opens a link's target inside the app, such as a section of the guide; `null` if the link
 * leads elsewhere.
 */
export type Follow = (address: string) => (() => void) | null;

/**
 * Whether rendering would take too long. Parsing time is quadratic in the marks of a paragraph, and drawing time
 * is linear in all marks.
 */
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

/** Renders Markdown. Nothing is fetched, HTML is shown as text, and links open only on the user's request. */
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
