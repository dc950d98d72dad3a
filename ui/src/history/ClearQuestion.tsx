/** Asks once before calls are removed, and says how many. */
import { AlertDialog } from "radix-ui";
import { useEffect, useState } from "react";

import { useHouse } from "../app/house";
import type { HistoryFilter, Report } from "../bridge/bindings";
import { asRefusal } from "../bridge/bridge";
import { Button } from "../parts/Button";
import { counted } from "../words/count";
import { countCalls, type Count } from "./countCalls";
import { HistoryTrouble } from "./HistoryTrouble";

interface Props {
  readonly filter: HistoryFilter;
  /** What is removed, such as `all calls`. */
  readonly what: string;
  readonly onCleared: () => void;
  readonly onClose: () => void;
}

export function ClearQuestion({ filter, what, onCleared, onClose }: Props) {
  const { hall, history, dock, spoken } = useHouse();
  const [count, setCount] = useState<Count | null>(null);
  const [wrong, setWrong] = useState<Report | null>(null);
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    let wanted = true;
    countCalls(hall, filter, () => wanted).then(
      (found) => {
        if (!wanted) return;
        setCount(found);
        setWrong(found.trouble);
      },
      (reason: unknown) => wanted && setWrong(asRefusal(reason).report),
    );
    return () => {
      wanted = false;
    };
  }, [hall, filter]);

  const clear = async () => {
    setBusy(true);
    try {
      const cleared = await hall.ask("clear_history", filter);
      spoken.set(`${counted(cleared.count, "call")} removed.`);
      history.marked.set([]);
      history.log.renew();
      onCleared();
      onClose();
    } catch (reason) {
      setWrong(asRefusal(reason).report);
      setBusy(false);
    }
  };
  const many = count === null ? null : `${count.more ? "more than " : ""}${counted(count.count, "call")}`;
  const none = count?.count === 0;
  const blocked = many === null ? "They are being counted" : busy ? "They are being removed" : none ? "There is nothing to remove" : undefined;
  return (
    <AlertDialog.Root open onOpenChange={(open) => !open && onClose()}>
      <AlertDialog.Portal>
        <AlertDialog.Overlay className="fixed inset-0 z-40 bg-black/40" />
        <AlertDialog.Content
          data-testid="clear-question"
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            dock.focus();
          }}
          className="fixed top-[20vh] left-1/2 z-50 flex w-[min(460px,calc(100vw-24px))] -translate-x-1/2 flex-col gap-2 rounded-md border border-line-strong bg-raised p-4 shadow-(--shadow)"
        >
          <AlertDialog.Title className="text-lg font-semibold">Remove {what} from the history?</AlertDialog.Title>
          <AlertDialog.Description className="text-dim">
            <span role="status">{many === null ? "Counting…" : none ? "No call fits any more." : `${many} would go, for good.`}</span> Saved
            calls stay.
          </AlertDialog.Description>
          {wrong !== null && <HistoryTrouble report={wrong} />}
          <div className="mt-2 flex justify-end gap-2">
            <AlertDialog.Cancel asChild>
              <Button>Keep them</Button>
            </AlertDialog.Cancel>
            <Button className="border-bad" unavailable={blocked} onClick={() => void clear()}>
              {many === null || none ? "Remove" : `Remove ${many}`}
            </Button>
          </div>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
