import { useHouse } from "../app/house";
import { WriteFileButton } from "../app/WriteFileButton";
import type { HistoryFilter } from "../bridge/bindings";
import { words } from "../words/history";
import { moment } from "../words/time";

/** Writes the calls that fit the filter to a file that a person chooses. */
export function ExportButton({ filter, empty }: { filter: HistoryFilter; empty: boolean }) {
  const { hall } = useHouse();
  return (
    <WriteFileButton
      label={words.export}
      busyLabel={words.exporting}
      title={words.exportFormat}
      empty={empty}
      suggestedName={() => `guild-hall-calls-${moment(Date.now()).slice(0, 10)}.jsonl`}
      write={async (path) => {
        const exported = await hall.ask("export_history", { filter, path });
        return words.exported(exported.count, exported.path);
      }}
    />
  );
}
