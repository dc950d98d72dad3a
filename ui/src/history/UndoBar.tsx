/** Saved calls that were just removed, each to be taken back while its time runs. */
import { useEffect, useRef } from "react";

import { useHouse } from "../app/house";
import type { SavedCall, SavedId } from "../bridge/bindings";
import { useStore } from "../hall/store";
import { Button } from "../parts/Button";
import { Sign } from "../parts/Icon";
import { isFocusNowhere } from "../parts/focus";
import { number } from "../words/format";

const SHOWN_MAX = 3;

export function UndoBar() {
  const { history, dock } = useHouse();
  const { saved } = history;
  const leaving = useStore(saved.leaving, (calls) => calls);
  const bar = useRef<HTMLDivElement>(null);

  // Closing the window does not undo a removal.
  useEffect(() => {
    const finish = () => saved.removeAllNow();
    window.addEventListener("pagehide", finish);
    return () => window.removeEventListener("pagehide", finish);
  }, [saved]);

  /** A button that was pressed goes with its row: the focus goes to the call, or to what is left. */
  const leave = (id: SavedId | null) => {
    requestAnimationFrame(() => {
      if (!isFocusNowhere()) return;
      const back = id === null ? null : document.querySelector<HTMLElement>(`[data-name="${id}"]`);
      const left = back ?? bar.current?.querySelector("button") ?? document.querySelector<HTMLElement>("[data-name][tabindex='0']");
      if (left) left.focus();
      else dock.keepFocus();
    });
  };
  if (leaving.length === 0) return null;
  return (
    <div ref={bar} data-region className="fixed bottom-9 start-3 z-30 flex w-[min(420px,calc(100vw-24px))] flex-col gap-2">
      {leaving.length > 1 && (
        <Button
          className="self-start"
          onClick={() => {
            saved.undoAll();
            leave(leaving[0]?.id ?? null);
          }}
        >
          Undo all ({number(leaving.length)})
        </Button>
      )}
      {leaving.slice(-SHOWN_MAX).map((call) => (
        <Removed
          key={call.id}
          call={call}
          onUndo={() => {
            saved.undo(call.id);
            leave(call.id);
          }}
          onRemove={() => {
            void saved.removeNow(call.id).then(() => leave(null));
          }}
        />
      ))}
    </div>
  );
}

interface RemovedProps {
  readonly call: SavedCall;
  readonly onUndo: () => void;
  readonly onRemove: () => void;
}

function Removed({ call, onUndo, onRemove }: RemovedProps) {
  const { saved } = useHouse().history;
  return (
    // Hover and focus pause the timer, which is not an action by the user.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
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
      <Button onClick={onUndo}>Undo</Button>
      <Button look="quiet" aria-label={`Remove ${call.name} now`} onClick={onRemove}><Sign of="close" /></Button>
    </div>
  );
}
