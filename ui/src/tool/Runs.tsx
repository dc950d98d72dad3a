import { useHouse } from "../app/house";
import { sheetKey, type Run, type Sheet } from "../hall/workbench";
import { useNow } from "../parts/useNow";
import { duration, wholeDuration } from "../words/time";

function faceOf({ outcome }: Run): { shape: string; colour: string; word: string } {
  if (!outcome) return { shape: "◐", colour: "text-warn", word: "running" };
  if (outcome.end.kind === "failed") return { shape: "✕", colour: "text-bad", word: "failed" };
  return outcome.end.isError
    ? { shape: "▲", colour: "text-warn", word: "tool error" }
    : { shape: "●", colour: "text-ok", word: "ok" };
}

/** The tool's last calls, to look at one again. Absent until there are two. */
export function Runs({ sheet, shown }: { sheet: Sheet; shown: Run | null }) {
  const { bench } = useHouse();
  const now = useNow(1_000, sheet.runs.some((run) => !run.outcome));
  if (sheet.runs.length < 2) return null;
  return (
    <ol aria-label="Calls of this tool" className="flex shrink-0 gap-1 overflow-x-auto border-b border-line px-4 py-1">
      {[...sheet.runs].reverse().map((run) => {
        const face = faceOf(run);
        const took = run.outcome ? duration(run.outcome.durationMs) : wholeDuration(now - run.startedAtMs);
        return (
          <li key={run.call}>
            <button
              type="button"
              aria-current={run.call === shown?.call}
              className="rounded-sm px-2 text-sm whitespace-nowrap text-dim hover:bg-hover aria-[current=true]:bg-selected aria-[current=true]:text-text"
              onClick={() => bench.show(sheetKey(run.member, run.tool), run.call)}
            >
              #{run.number} <span aria-hidden className={face.colour}>{face.shape}</span> {face.word} {took}
            </button>
          </li>
        );
      })}
    </ol>
  );
}
