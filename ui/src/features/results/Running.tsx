/** The header of a running call: its progress, the elapsed time, and the Cancel button. */
import type { ReactNode } from "react";

import { useKeysOf } from "../../lib/keys/useKeysOf";
import type { Progress } from "../../ipc/bindings";
import { Button } from "../../components/Button";
import { Sign } from "../../components/Icon";
import { useNow } from "../../lib/useNow";
import { duration } from "../../lib/time";
import { HEADER } from "./AnsweredFrame";

/** The delay before the header shows that a call runs, in milliseconds. Most calls end earlier. */
const QUIET_MS = 300;

export interface RunningCall {
  readonly startedAtMs: number;
  readonly progress: Progress | null;
}

interface Props {
  readonly call: RunningCall;
  readonly onCancel: () => void;
  /** A control that selects another call. */
  readonly picker?: ReactNode;
}

export function Running({ call, onCancel, picker }: Props) {
  const now = useNow(100);
  const keys = useKeysOf("cancel");
  const elapsed = Math.max(0, now - call.startedAtMs);
  const { progress } = call;
  const isQuiet = elapsed < QUIET_MS && progress === null;
  const total = progress?.total ?? null;
  return (
    // The same element is rendered before and after the delay, so that an open menu of the picker is not unmounted.
    <section aria-label={isQuiet ? undefined : "Running call"} aria-busy className={HEADER}>
      {!isQuiet && (
        <>
          <span role="status" className="font-medium"><Sign of="dashes" className="text-warn me-1.5" />Running</span>
          <span className="text-sm text-dim">{duration(Math.floor(elapsed / 100) * 100)}</span>
        </>
      )}
      {progress !== null && (
        <span className="flex min-w-0 flex-[1_1_120px] flex-wrap items-center gap-x-2 text-sm text-dim">
          {total !== null && total > 0 && (
            <progress aria-label="Progress" className="h-1.5 w-24 max-w-full accent-solid" max={total} value={Math.min(total, Math.max(0, progress.progress))} />
          )}
          <span className="whitespace-nowrap">{total === null ? progress.progress : `${progress.progress} of ${total}`}</span>
          {progress.message !== null && <span className="min-w-0 flex-[1_1_80px] truncate">{progress.message}</span>}
        </span>
      )}
      {picker}
      {!isQuiet && <Button className="ms-auto" onClick={onCancel} title={keys}>Cancel</Button>}
    </section>
  );
}
