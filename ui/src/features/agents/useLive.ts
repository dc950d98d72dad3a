import { useEffect, useState } from "react";

import type { Report } from "../../ipc/bindings";
import { asRefusal } from "../../ipc/bridge";

/** Debounce before an answer is requested again. */
const REST_MS = 150;

interface Live<T> {
  /** The last answer about this subject. */
  readonly value: T | null;
  readonly error: Report | null;
  /** Whether the answer belongs to the current inputs. */
  readonly fresh: boolean;
}

/**
 * An answer of the engine, requested again when an input changes. The last answer is kept until then. Without a
 * subject nothing is requested.
 */
export function useLive<T>(subject: string | null, inputs: readonly unknown[], ask: () => Promise<T>): Live<T> {
  const [answer, setAnswer] = useState<{ of: string | null; value: T | null; error: Report | null }>({ of: null, value: null, error: null });
  const [asked, setAsked] = useState<readonly unknown[]>([]);
  const same = subject !== null && answer.of === subject;
  const all = [subject, ...inputs];
  useEffect(() => {
    if (subject === null) return undefined;
    let wanted = true;
    const request = () => {
      ask().then(
        (value) => {
          if (!wanted) return;
          setAnswer({ of: subject, value, error: null });
          setAsked(all);
        },
        (reason: unknown) => {
          if (wanted) setAnswer((before) => ({ of: subject, value: before.of === subject ? before.value : null, error: asRefusal(reason).report }));
        },
      );
    };
    const timer = setTimeout(request, same && answer.value !== null ? REST_MS : 0);
    return () => {
      wanted = false;
      clearTimeout(timer);
    };
    // The inputs are the dependencies. The last answer only sets the delay.
    // oxlint-disable-next-line react/exhaustive-deps
  }, all);
  return {
    value: same ? answer.value : null,
    error: same ? answer.error : null,
    fresh: asked.length === all.length && asked.every((one, index) => one === all[index]),
  };
}
