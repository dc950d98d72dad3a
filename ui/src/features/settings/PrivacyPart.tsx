/**
 * The number and size of the recorded calls, buttons that open or clear the history, and the paths of the data
 * folders.
 */
import { useId, useRef, useState } from "react";

import { errorOf } from "../../lib/errorOf";
import { useHall } from "../../lib/hall/hall";
import { useLayers } from "../../lib/layers";
import { useNavigation } from "../../lib/navigation/navigation";
import { useSpoken } from "../../lib/spoken";
import { ClearQuestion } from "../history/ClearQuestion";
import { NO_FILTER } from "../history/filter";
import { useHistoryState } from "../history/useHistoryState";
import { useStore } from "../../lib/store";
import { Button } from "../../components/Button";
import { CopyButton } from "../../components/CopyButton";
import { ErrorReport } from "../../components/ErrorReport";
import { useOperation } from "../../lib/useOperation";
import { sizeWord } from "../results/content";
import { counted, number } from "../../lib/format";

export function PrivacyPart() {
  const hall = useHall();
  const spoken = useSpoken();
  const navigation = useNavigation();
  const layers = useLayers();
  const info = useStore(hall.info, (known) => known);
  const { state, error, renew, change } = useHistoryState();
  const operation = useOperation();
  const id = useId();
  const [clearing, setClearing] = useState(false);
  const clear = useRef<HTMLButtonElement>(null);
  const record = (recording: boolean) =>
    operation.go(() => errorOf(async () => {
      if (!state) return;
      await change({ ...state.settings, recording });
      spoken.set("Record calls: saved.");
    }));
  return (
    <>
      {error && <ErrorReport report={error} />}
      {state && (
        <>
          <div className="flex flex-wrap items-center gap-3 rounded-md border border-line px-4 py-3">
            <div className="min-w-48 flex-1">
              <label htmlFor={id} className="font-medium">Record calls</label>
              <p id={`${id}-does`} className="text-sm text-dim">Saves each call with its arguments and result in History, without secrets.</p>
            </div>
            <input
              id={id}
              type="checkbox"
              role="switch"
              aria-checked={state.settings.recording}
              aria-describedby={`${id}-does`}
              checked={state.settings.recording}
              onChange={(event) => void record(event.target.checked)}
            />
          </div>
          {operation.problem && <ErrorReport report={operation.problem} />}
          <p className="text-sm text-dim">
            History has {counted(state.calls, { one: "call", other: "calls" })}. It keeps up to {number(state.settings.keepCalls)} calls and {sizeWord(state.settings.keepBytes)}.
          </p>
        </>
      )}
      <p className="flex flex-wrap gap-2">
        <Button onClick={() => navigation.openHistory()}>Open History</Button>
        <Button ref={clear} onClick={() => setClearing(true)}>Clear history…</Button>
        <Button onClick={() => layers.open("bundle")}>Save diagnostics…</Button>
      </p>
      {clearing && <ClearQuestion filter={NO_FILTER} onCleared={renew} onClose={() => setClearing(false)} onLeft={() => clear.current?.focus()} />}
      {info && (
        <dl className="pt-2">
          {[
            ["Data folder", info.dataDir],
            ["Members folder", info.membersDir],
          ].map(([name = "", folder = ""]) => (
            <div key={name} className="flex flex-wrap items-center gap-2">
              <dt className="text-dim">{name}</dt>
              <dd className="flex min-w-0 flex-wrap items-center gap-2">
                <span dir="ltr" className="min-w-0 break-all select-text">{folder}</span>
                <CopyButton what={name} text={() => folder} />
              </dd>
            </div>
          ))}
        </dl>
      )}
      <p className="pt-1 text-sm text-dim">Guild Hall collects no data about you. It connects only to the MCP registry when you open it, and to servers, models and update addresses that you set up.</p>
    </>
  );
}
