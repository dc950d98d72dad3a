import { useEffect, useRef } from "react";

import { useHall } from "../lib/hall/hall";
import { useLayers } from "../lib/layers";
import { useStore } from "../lib/store";
import { Button } from "../components/Button";
import { ErrorCode } from "../components/ErrorCode";
import { Sign } from "../components/Icon";

/** The panel with the warnings of this session, newest first. */
export function Warnings() {
  const hall = useHall();
  const layers = useLayers();
  const warnings = useStore(hall.state, (state) => state.warnings);
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    panel.current?.focus();
  }, []);
  return (
    <section
      ref={panel}
      tabIndex={-1}
      data-region
      aria-label="Warnings"
      className="fixed end-3 bottom-9 z-30 flex scant:bottom-0 max-h-[60vh] scant:max-h-[80vh] w-[min(480px,calc(100vw-24px))] flex-col rounded-md border border-control bg-raised shadow-(--shadow)"
    >
      <header className="flex items-center border-b border-line px-3 py-1">
        <h2 className="flex-1 font-semibold">Warnings</h2>
        <Button look="quiet" aria-label="Close" onClick={() => layers.close("warnings")}>
          <Sign of="close" />
        </Button>
      </header>
      <ul className="min-h-0 overflow-y-auto p-3">
        {[...warnings].reverse().map((report, index) => (
          <li key={warnings.length - index} className="mb-2 last:mb-0">
            <p className="line-clamp-6 break-words">
              <Sign of="warning" className="text-warn me-1" />
              {report.member !== null && <strong className="font-semibold">{report.member}: </strong>}
              {report.message}
            </p>
            {report.hint !== "" && <p className="line-clamp-4 break-words text-dim">{report.hint}</p>}
            <ErrorCode code={report.code} />
          </li>
        ))}
      </ul>
    </section>
  );
}
