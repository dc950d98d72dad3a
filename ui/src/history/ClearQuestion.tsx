/** Asks once before calls are removed, and says how many. */
import { AlertDialog } from "radix-ui";
import { useEffect, useState } from "react";

import { useHouse } from "../app/house";
import { useAsking } from "../app/useAsking";
import type { HistoryFilter, Report } from "../bridge/bindings";
import { asRefusal } from "../bridge/bridge";
import { Button } from "../parts/Button";
import { isFocusNowhere } from "../parts/focus";
import { useDeed } from "../parts/useDeed";
import { counted } from "../words/format";
import { countCalls, type Count } from "./countCalls";
import { HistoryTrouble } from "./HistoryTrouble";

/** Which calls are to be removed: one, those that fit the filter, or all. */
export type Removal = "one" | "fitting" | "all";

const QUESTIONS: Record<Removal, string> = {
  one: "Remove this call from the history?",
  fitting: "Remove the calls that fit the filter from the history?",
  all: "Remove all calls from the history?",
};

interface Props {
  readonly filter: HistoryFilter;
  readonly what: Removal;
  readonly onCleared: () => void;
  readonly onClose: () => void;
  /** Gives the focus to what has it afterwards, unless it is somewhere already. */
  readonly onLeft: () => void;
}

export function ClearQuestion({ filter, what, onCleared, onClose, onLeft }: Props) {
  const { hall, history, spoken } = useHouse();
  const [count, setCount] = useState<Count | null>(null);
  const [uncounted, setUncounted] = useState<Report | null>(null);
  const deed = useDeed();
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
    deed.go(async () => {
      try {
        const cleared = await hall.ask("clear_history", filter);
        spoken.set(`${counted(cleared.count, { one: "call", other: "calls" })} removed.`);
        history.marked.set([]);
        history.log.renew();
        onCleared();
        onClose();
        return null;
      } catch (reason) {
        return asRefusal(reason).report;
      }
    });
  const wrong = deed.problem ?? uncounted;
  const none = count?.count === 0;
  const blocked = count === null ? "They are being counted" : deed.busy ? "They are being removed" : none ? "There is nothing to remove" : undefined;
  return (
    <AlertDialog.Root open onOpenChange={(open) => !open && onClose()}>
      <AlertDialog.Portal>
        <AlertDialog.Overlay className="fixed inset-0 z-40 bg-black/40" />
        <AlertDialog.Content
          data-testid="clear-question"
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            // Don't take the focus from an element that the user has moved to.
            if (isFocusNowhere()) onLeft();
          }}
          className="fixed top-[20vh] left-1/2 z-50 flex w-[min(460px,calc(100vw-24px))] -translate-x-1/2 flex-col gap-2 rounded-md border border-line-strong bg-raised p-4 shadow-(--shadow)"
        >
          <AlertDialog.Title className="text-lg font-semibold">{QUESTIONS[what]}</AlertDialog.Title>
          <AlertDialog.Description className="text-dim">
            <span role="status">{count === null ? "Counting…" : none ? "No call fits any more." : `${count.more ? "more than " : ""}${counted(count.count, { one: "call", other: "calls" })} would go, for good.`}</span> Saved calls stay.
          </AlertDialog.Description>
          {wrong !== null && <HistoryTrouble report={wrong} />}
          <div className="mt-2 flex justify-end gap-2">
            <AlertDialog.Cancel asChild>
              <Button>Keep them</Button>
            </AlertDialog.Cancel>
            <Button className="border-bad" unavailable={blocked} onClick={() => void clear()}>
              {count === null || none ? "Remove" : `Remove ${count.more ? "more than " : ""}${counted(count.count, { one: "call", other: "calls" })}`}
            </Button>
          </div>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
