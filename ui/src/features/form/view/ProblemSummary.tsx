/** A line that lists all problems of the arguments. Each problem is a button that jumps to its field. */

import { Sign } from "../../../components/Icon";
import { counted, number } from "../../../lib/format";
import { placeName } from "../model/pointer";
import type { Problem } from "../useCheck";

const SHOWN_MAX = 20;

interface Props {
  readonly problems: readonly Problem[];
  readonly notes: readonly string[];
  readonly onJump: (pointer: string) => void;
}

export function ProblemSummary({ problems, notes, onJump }: Props) {
  if (problems.length === 0 && notes.length === 0) return null;
  return (
    <div className="max-h-24 overflow-y-auto border-t border-line bg-bad-fill px-5 py-1.5">
      {problems.length > 0 && (
        <div role="alert" className="flex flex-wrap items-baseline gap-x-1.5">
          <span data-testid="problem-count" className="font-medium text-bad">
            <Sign of="cross" className="me-1" />
            {counted(problems.length, { one: "problem", other: "problems" })}:
          </span>
          <ul className="contents">
            {/* Only the paths are visible here. The messages are shown at the fields. */}
            {problems.slice(0, SHOWN_MAX).map(({ pointer, message }, index) => (
              <li key={index} className="min-w-0 break-words">
                <button type="button" className="text-start underline-offset-2 hover:underline" aria-label={`${placeName(pointer)}: ${message}`} onClick={() => onJump(pointer)}>
                  <code className="font-mono">{placeName(pointer)}</code>
                  {pointer === "" && `: ${message}`}
                </button>
              </li>
            ))}
          </ul>
          {problems.length > SHOWN_MAX && <span className="text-dim">and {number(problems.length - SHOWN_MAX)} more</span>}
        </div>
      )}
      {notes.length > 0 && <p className="text-sm text-warn"><Sign of="warning" className="me-1" />{notes.join(" ")}</p>}
    </div>
  );
}
