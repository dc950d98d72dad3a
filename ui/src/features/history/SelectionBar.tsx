import type { HistoryEntry } from "../../ipc/bindings";
import { asRefusal } from "../../ipc/bridge";
import { Button } from "../../components/Button";
import { Icon } from "../../components/Icon";
import { SIGNS } from "../../components/signs";
import { useHall } from "../../lib/hall/hall";
import { showToast } from "../../lib/toasts";
import { counted } from "../../lib/format";
import { moment } from "../../lib/time";
import { useCallHistory } from "./callHistory";
import { whyNotSelected, type CreatedKind } from "./recordedCalls";

interface Props {
  readonly selected: readonly HistoryEntry[];
  /** Called after a deletion and after the selection was cleared, to return the focus to the list. */
  readonly onDone: () => void;
  readonly onCreate: (kind: CreatedKind, calls: readonly HistoryEntry[]) => void;
}

/** The bar with actions for the selected calls, which replaces the filter bar. */
export function SelectionBar({ selected, onDone, onCreate }: Props) {
  const hall = useHall();
  const history = useCallHistory();
  const { saveFile } = hall;
  const whyNot = whyNotSelected(selected);
  const save = async (write: NonNullable<typeof saveFile>) => {
    try {
      // `export_history` can only export by filter, so create its format here: JSON Lines, the oldest call first.
      const calls = await Promise.all([...selected].sort((a, b) => a.id - b.id).map(({ id }) => hall.ask("history_entry", { id })));
      const text = calls.map((call) => `${JSON.stringify(call)}\n`).join("");
      const path = await write({ suggestedName: `guild-hall-calls-${moment(Date.now()).slice(0, 10)}.jsonl`, content: { text } });
      if (path !== null) showToast({ text: `Exported ${counted(calls.length, { one: "call", other: "calls" })} to ${path}` });
    } catch (reason) {
      hall.tell(asRefusal(reason).report);
    }
  };
  return (
    <div role="group" aria-label="Selected calls" data-testid="history-selection" className="flex min-w-0 flex-1 flex-wrap items-center gap-2">
      <span role="status" className="font-medium">{counted(selected.length, { one: "call", other: "calls" })} selected</span>
      <Button unavailable={selected.length === 2 ? undefined : selected.length < 2 ? "Select one more call to compare" : "Select only two calls to compare"} onClick={() => history.compareSelected()}>
        Compare
      </Button>
      <Button unavailable={whyNot} onClick={() => onCreate("checks", selected)}>Create checks…</Button>
      <Button unavailable={whyNot} onClick={() => onCreate("mock", selected)}>Create mock member…</Button>
      {saveFile && <Button onClick={() => void save(saveFile)}><Icon of={SIGNS.download} />Export…</Button>}
      <Button
        look="danger"
        onClick={() => {
          history.remove(selected);
          onDone();
        }}
      >
        <Icon of={SIGNS.trash} />
        Delete
      </Button>
      <Button
        look="quiet"
        onClick={() => {
          history.selected.set([]);
          onDone();
        }}
      >
        Clear selection
      </Button>
    </div>
  );
}
