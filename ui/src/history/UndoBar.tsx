/** Saved calls that were just removed, each to be taken back while its time runs. */
import { useHouse } from "../app/house";
import type { SavedCall } from "../bridge/bindings";
import { useStore } from "../hall/store";
import { Button } from "../parts/Button";

const SHOWN_MAX = 3;

export function UndoBar() {
  const { history } = useHouse();
  const leaving = useStore(history.saved.leaving, (calls) => calls);
  if (leaving.length === 0) return null;
  return (
    <div data-region className="fixed bottom-9 left-3 z-30 flex w-[min(420px,calc(100vw-24px))] flex-col gap-2">
      {leaving.slice(-SHOWN_MAX).map((call) => (
        <Removed key={call.id} call={call} />
      ))}
    </div>
  );
}

function Removed({ call }: { call: SavedCall }) {
  const { saved } = useHouse().history;
  return (
    // The time stands still while somebody is at it; that is no deed of its own.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <div
      role="group"
      aria-label={`${call.name} was removed`}
      onFocus={() => saved.hold(call.id)}
      onBlur={() => saved.goOn(call.id)}
      onPointerEnter={() => saved.hold(call.id)}
      onPointerLeave={() => saved.goOn(call.id)}
      className="flex items-center gap-2 rounded-md border border-line-strong bg-raised px-3 py-2 shadow-(--shadow)"
    >
      <p className="line-clamp-2 min-w-0 flex-1 break-words">
        Removed the saved call <bdi className="font-medium">{call.name}</bdi>
      </p>
      <Button onClick={() => saved.undo(call.id)}>Undo</Button>
      <Button look="quiet" aria-label={`Remove ${call.name} now`} onClick={() => void saved.removeNow(call.id)}>✕</Button>
    </div>
  );
}
