import { useState } from "react";

import { useHouse } from "../app/house";
import type { HistoryFilter } from "../bridge/bindings";
import { asRefusal } from "../bridge/bridge";
import { Button } from "../parts/Button";
import { counted } from "../words/count";
import { moment } from "../words/time";

/** Writes the calls that fit the filter to a file that a person chooses. Absent where there is no such dialog. */
export function ExportButton({ filter, empty }: { filter: HistoryFilter; empty: boolean }) {
  const { hall, pickPath } = useHouse();
  const [busy, setBusy] = useState(false);
  const [said, setSaid] = useState("");
  if (!pickPath) return null;
  const write = async () => {
    setBusy(true);
    setSaid("");
    try {
      const day = moment(Date.now()).slice(0, 10);
      const path = await pickPath({ kind: "new-file", suggestedName: `guild-hall-calls-${day}.jsonl` });
      if (path === null) return;
      const exported = await hall.ask("export_history", { filter, path });
      setSaid(`${counted(exported.count, "call")} written to ${exported.path}`);
    } catch (reason) {
      const { report } = asRefusal(reason);
      setSaid(`✕ Not written: ${report.message} ${report.hint}`);
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <Button
        look="quiet"
        title="As JSON Lines: one call a line, the oldest first"
        unavailable={busy ? "It is being written" : empty ? "There is nothing to write" : undefined}
        onClick={() => void write()}
      >
        {busy ? "Exporting…" : "Export…"}
      </Button>
      <span role="status" className="max-w-full min-w-0 text-sm break-words text-dim empty:hidden">{said}</span>
    </>
  );
}
