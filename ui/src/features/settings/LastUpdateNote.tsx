import type { LastUpdate } from "../../ipc/bindings";
import { Button } from "../../components/Button";
import { Sign } from "../../components/Icon";
import { useHall } from "../../lib/hall/hall";

/** A note about the outcome of the last update, which the user can dismiss. */
export function LastUpdateNote({ last: { from, to, takenBack } }: { last: LastUpdate }) {
  const hall = useHall();
  const failed = takenBack !== null;
  return (
    <div
      role={failed ? "alert" : "status"}
      data-testid="last-update"
      className={`flex flex-col gap-1 rounded-md border px-3 py-2 ${failed ? "border-bad bg-bad-fill" : "border-control bg-raised"}`}
    >
      <div className="flex items-start gap-2">
        <p className="min-w-0 flex-1 break-words">
          <Sign of={failed ? "cross" : "done"} className={`me-1 ${failed ? "text-bad" : "text-ok"}`} />
          {failed ? `The update to ${to} didn't start, so ${from} was restored.` : `Updated from ${from} to ${to}`}
        </p>
        <Button onClick={() => void hall.ask("forget_last_update", {}).catch(() => undefined)}>Dismiss</Button>
      </div>
      {failed && (
        <details>
          <summary className="cursor-default text-dim">Details</summary>
          <pre dir="ltr" className="max-h-40 overflow-y-auto text-sm break-words whitespace-pre-wrap select-text">{takenBack}</pre>
        </details>
      )}
    </div>
  );
}
