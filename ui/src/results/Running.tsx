/** A call that runs: how far it is, how long it has taken, and the way to stop it. */

import { useKeysOf } from "../app/useKeysOf";
import type { Progress } from "../bridge/bindings";
import { Button } from "../parts/Button";
import { Sign } from "../parts/Icon";
import { useNow } from "../parts/useNow";
import { duration } from "../words/time";

/** Most calls are done before this; they show no spinner at all. */
const QUIET_MS = 300;

export interface RunningCall {
  readonly startedAtMs: number;
  readonly progress: Progress | null;
}

export function Running({ call, onCancel }: { call: RunningCall; onCancel: () => void }) {
  const now = useNow(100);
  const keys = useKeysOf("cancel");
  const elapsed = Math.max(0, now - call.startedAtMs);
  if (elapsed < QUIET_MS && call.progress === null) return <div aria-busy className="h-8" />;
  const { progress } = call;
  const total = progress?.total ?? null;
  return (
    <section aria-label="running call" aria-busy className="flex flex-col gap-1 border-b border-line px-3 py-1">
      <div className="flex items-center gap-2">
        <span role="status" className="grow">
          <Sign of="dashes" className="text-warn me-1" />
          {progress === null ? "sending" : "running"}
        </span>
        <span className="text-dim">{duration(Math.floor(elapsed / 100) * 100)}</span>
        <Button onClick={onCancel} title={keys}>Cancel</Button>
      </div>
      {progress !== null && (
        <div className="flex flex-wrap items-center gap-x-2 text-sm text-dim">
          {total !== null && total > 0 && (
            <progress aria-label="progress" className="w-40 max-w-full accent-accent-fill" max={total} value={Math.min(total, Math.max(0, progress.progress))} />
          )}
          <span className="whitespace-nowrap">{total === null ? progress.progress : `${progress.progress} of ${total}`}</span>
          {progress.message !== null && <span className="min-w-0 flex-[1_1_160px] truncate" title={progress.message}>{progress.message}</span>}
        </div>
      )}
    </section>
  );
}
