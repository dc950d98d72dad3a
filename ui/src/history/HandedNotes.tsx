import { useHouse } from "../app/house";
import { type SheetKey } from "../hall/workbench";
import { useStore } from "../hall/store";
import { Button } from "../parts/Button";

/** What has to be known of arguments that came from a call of the past, until they are run. */
export function HandedNotes({ sheet }: { sheet: SheetKey }) {
  const { bench } = useHouse();
  const notes = useStore(bench.sheets, () => bench.sheet(sheet).notes);
  if (notes.length === 0) return null;
  return (
    <div role="status" className="flex shrink-0 items-start gap-2 border-b border-line bg-warn-fill px-4 py-1 text-sm">
      <ul className="min-w-0 flex-1">
        {notes.map((note) => (
          <li key={note} className="break-words">
            <span aria-hidden className="text-warn">▲ </span>
            {note}
          </li>
        ))}
      </ul>
      <Button look="quiet" aria-label="Put the notes away" onClick={() => bench.putNotesAway(sheet)}>✕</Button>
    </div>
  );
}
