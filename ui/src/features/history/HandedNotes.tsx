import { type SheetKey, useWorkbench } from "../tool/workbench";
import { useStore } from "../../lib/store";
import { Button } from "../../components/Button";
import { Sign } from "../../components/Icon";

/** Notes above a tool's form about arguments from a past call, until the user runs the tool or dismisses the notes. */
export function HandedNotes({ sheet }: { sheet: SheetKey }) {
  const bench = useWorkbench();
  const { notes, replaced, earlier } = useStore(bench.sheets, () => bench.sheet(sheet));
  if (notes.length === 0 && replaced === null && earlier === null) return null;
  return (
    <div role="status" className="flex shrink-0 items-start gap-2 border-b border-line bg-warn-fill px-4 py-1 text-sm">
      <ul className="min-w-0 flex-1">
        {notes.map((note) => (
          <li data-testid="handed-note" key={note} className="break-words">
            <Sign of="warning" className="text-warn me-1" />
            {note}
          </li>
        ))}
        {replaced !== null && (
          <Offer says="The form had other arguments." verb="Restore them" onTake={() => bench.putBack(sheet, "replaced")} />
        )}
        {earlier !== null && (
          <Offer says="There is an earlier draft." verb="Restore it" onTake={() => bench.putBack(sheet, "earlier")} />
        )}
      </ul>
      <Button look="quiet" aria-label="Dismiss the notes" onClick={() => bench.putNotesAway(sheet)}><Sign of="close" /></Button>
    </div>
  );
}

/** A note about a draft that was replaced, with a button that restores the draft. */
function Offer({ says, verb, onTake }: { says: string; verb: string; onTake: () => void }) {
  return (
    <li className="flex flex-wrap items-center gap-2">
      <span data-testid="handed-draft">
        <Sign of="undo" className="text-accent me-1" />
        {says}
      </span>
      <Button onClick={onTake}>{verb}</Button>
    </li>
  );
}
