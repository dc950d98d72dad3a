import { useState } from "react";

import { useHouse } from "../app/house";
import type { LogFilter, MemberName } from "../bridge/bindings";
import { asRefusal } from "../bridge/bridge";
import { Button } from "../parts/Button";
import { counted } from "../words/count";

/** Writes all lines that fit, those of the files included, where a person chooses. Absent where there is no such dialog. */
export function SaveLog({ member, filter, empty }: { member: MemberName; filter: LogFilter; empty: boolean }) {
  const { hall, pickPath } = useHouse();
  const [busy, setBusy] = useState(false);
  const [said, setSaid] = useState("");
  if (!pickPath) return null;
  const write = async () => {
    setBusy(true);
    setSaid("");
    try {
      const path = await pickPath({ kind: "new-file", suggestedName: `${member}.log` });
      if (path === null) return;
      const saved = await hall.ask("save_member_log", { member, filter, path });
      setSaid(`${counted(saved.lines, "line")} written to ${saved.path}`);
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
        title="All lines that are kept and fit, also those that are not shown"
        unavailable={busy ? "It is being written" : empty ? "There is nothing to write" : undefined}
        onClick={() => void write()}
      >
        {busy ? "Saving…" : "Save…"}
      </Button>
      <span role="status" className="max-w-full min-w-0 text-sm break-words text-dim empty:hidden">{said}</span>
    </>
  );
}
