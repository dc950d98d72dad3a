/** The dialog that asks the user before all matching calls are deleted. It shows their number. */
import { AlertDialog } from "radix-ui";
import { useEffect, useState } from "react";

import { useHall } from "../../lib/hall/hall";
import { useAsking } from "../../lib/useAsking";
import type { HistoryFilter, Report } from "../../ipc/bindings";
import { asRefusal } from "../../ipc/bridge";
import { errorOf } from "../../lib/errorOf";
import { Button } from "../../components/Button";
import { isFocusNowhere } from "../../lib/focus";
import { showToast } from "../../lib/toasts";
import { useOperation } from "../../lib/useOperation";
import { counted } from "../../lib/format";
import { useCallHistory } from "./callHistory";
import { countCalls, type Count } from "./countCalls";
import { isFiltering } from "./filter";
import { HistoryErrorReport } from "./HistoryErrorReport";

interface Props {
  readonly filter: HistoryFilter;
  readonly onCleared: () => void;
  readonly onClose: () => void;
  /** Called after the dialog closes if no element has the focus. */
  readonly onLeft: () => void;
}

export function ClearQuestion({ filter, onCleared, onClose, onLeft }: Props) {
  const hall = useHall();
  const history = useCallHistory();
  const [count, setCount] = useState<Count | null>(null);
  const [uncounted, setUncounted] = useState<Report | null>(null);
  const operation = useOperation();
  useAsking(onClose);
  useEffect(() => {
    let wanted = true;
    countCalls(hall, filter, () => wanted).then(
      (found) => {
        if (!wanted) return;
        setCount(found);
        setUncounted(found.trouble);
      },
      (reason: unknown) => wanted && setUncounted(asRefusal(reason).report),
    );
    return () => {
      wanted = false;
    };
  }, [hall, filter]);

  const clear = () =>
    operation.go(() => errorOf(async () => {
      const cleared = await hall.ask("clear_history", filter);
      showToast({ text: `Deleted ${counted(cleared.count, { one: "call", other: "calls" })}` });
      history.selected.set([]);
      history.log.renew();
      onCleared();
      onClose();
    }));
  const words = count === null ? "" : `${count.more ? "more than " : ""}${counted(count.count, { one: "call", other: "calls" })}`;
  const wrong = operation.problem ?? uncounted;
  const none = count?.count === 0;
  const blocked = count === null ? "Counting…" : operation.busy ? "Deleting…" : none ? "No matching calls" : undefined;
  return (
    <AlertDialog.Root open onOpenChange={(open) => !open && onClose()}>
      <AlertDialog.Portal>
        <AlertDialog.Overlay className="fixed inset-0 z-40 bg-black/40" />
        <AlertDialog.Content
          data-testid="clear-question"
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            // Don't take the focus from an element that the user has moved it to.
            if (isFocusNowhere()) onLeft();
          }}
          className="fixed top-[20vh] left-1/2 z-50 flex w-[min(460px,calc(100vw-24px))] -translate-x-1/2 flex-col gap-2 rounded-md border border-control bg-raised p-4 shadow-(--shadow)"
        >
          <AlertDialog.Title className="text-lg font-semibold">{isFiltering(filter) ? "Delete matching calls?" : "Delete all calls?"}</AlertDialog.Title>
          <AlertDialog.Description className="text-dim">
            <span role="status">{count === null ? "Counting…" : none ? "No matching calls." : `Deletes ${words}. This can't be undone.`}</span> Saved calls stay.
          </AlertDialog.Description>
          {wrong !== null && <HistoryErrorReport report={wrong} />}
          <div className="mt-2 flex justify-end gap-2">
            <AlertDialog.Cancel asChild>
              <Button>Cancel</Button>
            </AlertDialog.Cancel>
            <Button look="danger" unavailable={blocked} onClick={() => void clear()}>
              {count === null || none ? "Delete" : `Delete ${words}`}
            </Button>
          </div>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
