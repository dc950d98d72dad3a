import type { ToolHints } from "../bridge/bindings";
import { hintMarks } from "../words/hints";

/** What the server says that a tool does, as one mark each. */
export function HintMarks({ hints }: { hints: ToolHints }) {
  const marks = hintMarks(hints);
  if (marks.length === 0) return null;
  return (
    <span className="inline-flex shrink-0 items-center gap-0.5">
      {marks.map(({ mark, title, colour }) => (
        <span key={mark} role="img" title={title} aria-label={title} className={`w-3.5 text-center font-mono text-[11px] font-semibold ${colour}`}>
          {mark}
        </span>
      ))}
    </span>
  );
}
