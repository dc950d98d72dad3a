import { useEffect, useState } from "react";

import type { Report } from "../../ipc/bindings";
import { asRefusal } from "../../ipc/bridge";

/** Debounce time before a response is requested again. */
const REST_MS = 150;

interface Live<T> {
  /** The last response for this subject. */
  readonly value: T | null;
  readonly error: Report | null;
  /** Whether the response belongs to the current inputs. */
  readonly fresh: boolean;
}

/**
 * A response of the engine, which is requested again when an input changes. Until the new response arrives, the hook
 * returns the previous one. If `subject` is `null`, the hook requests nothing.
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
    // The effect depends on the subject and the inputs. The last response only affects the delay, so it is not a
    // dependency.
    // oxlint-disable-next-line react/exhaustive-deps
  }, all);
  return {
    value: same ? answer.value : null,
    error: same ? answer.error : null,
    fresh: asked.length === all.length && asked.every((one, index) => one === all[index]),
  };
}
