import { Fragment } from "react";

interface Props {
  readonly text: string;
  /** Where hits begin in the text, ascending, none inside another. */
  readonly at: readonly number[];
  /** How long each is. */
  readonly length: number;
  /** Which of them is the shown one; -1 for none. */
  readonly current: number;
}

/** A text with what was found in it marked. */
export function Marked({ text, at, length, current }: Props) {
  if (at.length === 0) return text;
  const last = at.at(-1) ?? 0;
  return (
    <>
      {at.map((start, index) => (
        <Fragment key={start}>
          {text.slice(index === 0 ? 0 : (at[index - 1] ?? 0) + length, start)}
          <mark
            aria-current={index === current ? true : undefined}
            className={`rounded-sm ${index === current ? "bg-accent-fill text-accent-text" : "bg-warn-fill text-text outline outline-line-strong"}`}
          >
            {text.slice(start, start + length)}
          </mark>
        </Fragment>
      ))}
      {text.slice(last + length)}
    </>
  );
}

/** Where `pattern` is found in a text. */
export function hitsIn(text: string, pattern: RegExp | null): readonly number[] {
  if (pattern === null) return [];
  pattern.lastIndex = 0;
  const at: number[] = [];
  for (let hit = pattern.exec(text); hit !== null && at.length < 1_000; hit = pattern.exec(text)) at.push(hit.index);
  return at;
}
