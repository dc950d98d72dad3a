/** Text as text: a short one as it is, the beginning of a long one, and all of it on demand. */

import { useMemo, useState } from "react";

import { Button } from "../../parts/Button";
import { number } from "../../words/format";
import { Viewer } from "./Viewer";

const FOLDED_CHARACTERS = 4_000;
const FOLDED_LINES = 60;

/** The first part of a text that is put on the page while it is folded. */
function folded(text: string): string {
  let end = -1;
  for (let line = 0; line < FOLDED_LINES; line += 1) {
    end = text.indexOf("\n", end + 1);
    if (end < 0) break;
  }
  return text.slice(0, Math.min(FOLDED_CHARACTERS, end < 0 ? text.length : end));
}

interface Props {
  readonly text: string;
  readonly label: string;
}

export function LongText({ text, label }: Props) {
  const [all, setAll] = useState(false);
  const short = useMemo(() => folded(text), [text]);
  if (all) {
    return (
      <>
        <Viewer text={text} label={`all of ${label}`} />
        <Button look="quiet" onClick={() => setAll(false)}>Fold</Button>
      </>
    );
  }
  const left = text.length - short.length;
  return (
    <>
      {/* A region that scrolls has to be reached by the keyboard. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <pre tabIndex={0} aria-label={label} className="overflow-x-auto font-mono text-sm whitespace-pre-wrap [overflow-wrap:anywhere]">
        {short}
      </pre>
      {left > 0 && <Button onClick={() => setAll(true)}>Show all ({number(left)} more characters)</Button>}
    </>
  );
}
