/** Everything that keeps the arguments from being sent, each with the way to its field. */

import { Sign } from "../../parts/Icon";
import { number, plural } from "../../words/format";
import { placeName } from "../model/pointer";
import type { Problem } from "../useCheck";

const SHOWN_MAX = 20;

interface Props {
  readonly problems: readonly Problem[];
  readonly notes: readonly string[];
  readonly onJump: (pointer: string) => void;
}

export function ProblemList({ problems, notes, onJump }: Props) {
  return (
    <>
      {problems.length > 0 && (
        <div role="alert" className="my-2 rounded-sm border border-bad bg-bad-fill px-2 py-1 text-sm">
          <p data-testid="problem-count" className="font-semibold text-bad">
            <Sign of="cross" className="me-1" />{plural(problems.length, { one: "One thing is wrong with the arguments", other: `${number(problems.length)} things are wrong with the arguments` })}
          </p>
          <ul>
            {problems.slice(0, SHOWN_MAX).map(({ pointer, message }, index) => (
              <li key={index}>
                <button type="button" className="text-start hover:underline" onClick={() => onJump(pointer)}>
                  <code className="font-mono">{placeName(pointer)}</code>: {message}
                </button>
              </li>
            ))}
          </ul>
          {problems.length > SHOWN_MAX && <p className="text-dim">and {number(problems.length - SHOWN_MAX)} more</p>}
        </div>
      )}
      {notes.length > 0 && <p className="pt-1 text-sm text-warn"><Sign of="warning" className="me-1" />{notes.join(" ")}</p>}
    </>
  );
}
