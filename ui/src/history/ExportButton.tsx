import { useHouse } from "../app/house";
import { WriteFileButton } from "../app/WriteFileButton";
import type { HistoryFilter } from "../bridge/bindings";
import { counted } from "../words/format";
import { moment } from "../words/time";

/** Writes the calls that fit the filter to a file that a person chooses. */
export function ExportButton({ filter, empty }: { filter: HistoryFilter; empty: boolean }) {
  const { hall } = useHouse();
  return (
    <WriteFileButton
      label="Export…"
      busyLabel="Exporting…"
      title="As JSON Lines: one call a line, the oldest first"
      empty={empty}
      suggestedName={() => `guild-hall-calls-${moment(Date.now()).slice(0, 10)}.jsonl`}
      write={async (path) => {
        const exported = await hall.ask("export_history", { filter, path });
        return `${counted(exported.count, { one: "call", other: "calls" })} written to ${exported.path}`;
      }}
    />
  );
}
