import { useHouse } from "../app/house";
import type { LastUpdate } from "../bridge/bindings";
import { Button } from "../parts/Button";
import { words } from "../words/updates";

/** How the last change of version ended, until somebody has seen it. */
export function LastUpdateNote({ last: { from, to, takenBack } }: { last: LastUpdate }) {
  const { hall } = useHouse();
  const failed = takenBack !== null;
  return (
    <div
      role={failed ? "alert" : "status"}
      data-testid="last-update"
      className={`flex flex-col gap-1 rounded-md border px-3 py-2 ${failed ? "border-bad bg-bad-fill" : "border-line-strong bg-raised"}`}
    >
      <div className="flex items-start gap-2">
        <p className="min-w-0 flex-1 break-words">
          <span aria-hidden className={failed ? "text-bad" : "text-ok"}>{failed ? "✕ " : "✓ "}</span>
          {failed ? words.takenBack(to, from) : words.up(to, from)}
        </p>
        <Button onClick={() => void hall.ask("forget_last_update", {}).catch(() => undefined)}>{words.seen}</Button>
      </div>
      {failed && (
        <details>
          <summary className="cursor-default text-dim">{words.why}</summary>
          <pre dir="ltr" className="max-h-40 overflow-y-auto text-sm break-words whitespace-pre-wrap select-text">{takenBack}</pre>
        </details>
      )}
    </div>
  );
}
