/** The newest crash of Guild Hall, until the user dismisses it. */
import { useEffect, useId, useState } from "react";

import type { CrashReport } from "../../ipc/bindings";
import { asRefusal } from "../../ipc/bridge";
import { Button } from "../../components/Button";
import { Sign } from "../../components/Icon";
import { useDesktop } from "../../lib/desktop";
import { drawNow } from "../../lib/drawNow";
import { counted } from "../../lib/format";
import { useHall } from "../../lib/hall/hall";
import { useLayers } from "../../lib/layers";
import { focusPage } from "../../lib/regions";
import { ago } from "../../lib/time";
import { useNow } from "../../lib/useNow";

const EARLIER = { one: "earlier crash", other: "earlier crashes" };

export function CrashNotice() {
  const hall = useHall();
  const { open } = useDesktop();
  const layers = useLayers();
  const titleId = useId();
  const now = useNow(60_000);
  const [reports, setReports] = useState<readonly CrashReport[]>([]);
  useEffect(() => {
    let wanted = true;
    hall.ask("crash_reports", {}).then(
      (known) => wanted && setReports(known.reports),
      // An error is ignored, because the system check reports an unreadable data folder.
      () => undefined,
    );
    return () => {
      wanted = false;
    };
  }, [hall]);
  const [newest] = reports;
  if (!newest) return null;
  const show = (reason: unknown) => hall.tell(asRefusal(reason).report);
  const dismiss = () =>
    hall.ask("dismiss_crash_reports", {}).then(() => {
      setReports([]);
      // The pressed button is removed, so the focus moves to the page.
      drawNow();
      focusPage();
    }, show);
  const { atMs, message, name, program, version } = newest;
  return (
    <section aria-labelledby={titleId} data-testid="crash" className="flex flex-col gap-2 rounded-lg border border-warn bg-warn-fill p-3.5">
      <h2 id={titleId} className="flex items-center gap-2 font-semibold">
        <Sign of="warning" className="text-warn" />
        {program} crashed {ago(atMs, Math.max(now, atMs))}
      </h2>
      <p className="line-clamp-3 font-mono text-sm wrap-anywhere text-dim select-text">{message}</p>
      <p className="text-sm text-dim">
        The report is a file on this computer, from version {version}.
        {reports.length > 1 && ` There are reports of ${counted(reports.length - 1, EARLIER)}.`}
      </p>
      <div className="flex flex-wrap gap-2">
        {open && <Button onClick={() => void open({ kind: "crash-report", name }).catch(show)}>Open report</Button>}
        <Button onClick={() => layers.open("bundle")}>Save diagnostics…</Button>
        <Button look="quiet" onClick={() => void dismiss()}>Dismiss</Button>
      </div>
    </section>
  );
}
