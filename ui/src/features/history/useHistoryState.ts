import { useCallback, useEffect, useRef, useState } from "react";

import type { HistorySettings, HistoryState, Report } from "../../ipc/bindings";
import { asRefusal } from "../../ipc/bridge";
import { useHall } from "../../lib/hall/hall";
import { useCallHistory } from "./callHistory";

/** The minimum time between two requests for the number of calls while calls are being recorded. */
const RENEW_MS = 1_000;

export interface KnownState {
  /** The settings and status of the history; `null` until read. */
  readonly state: HistoryState | null;
  readonly error: Report | null;
  /** Reads the state again, such as after a deletion. */
  readonly renew: () => void;
  /** Saves the settings. Throws the engine's error. */
  readonly change: (settings: HistorySettings) => Promise<void>;
}

export function useHistoryState(): KnownState {
  const hall = useHall();
  const history = useCallHistory();
  const [state, setState] = useState<HistoryState | null>(null);
  const [error, setError] = useState<Report | null>(null);
  /** The number of the newest request. Responses to earlier requests are discarded. */
  const turn = useRef(0);

  const renew = useCallback(() => {
    turn.current += 1;
    const mine = turn.current;
    hall.ask("history_settings", {}).then(
      (answer) => {
        if (mine !== turn.current) return;
        setState(answer);
        setError(null);
      },
      (reason: unknown) => {
        if (mine === turn.current) setError(asRefusal(reason).report);
      },
    );
  }, [hall]);

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    renew();
    const end = hall.onRecorded(() => {
      timer ??= setTimeout(() => {
        timer = undefined;
        renew();
      }, RENEW_MS);
    });
    return () => {
      end();
      clearTimeout(timer);
      turn.current += 1;
    };
  }, [hall, renew]);

  const change = useCallback(
    async (settings: HistorySettings) => {
      const answer = await hall.ask("change_history_settings", settings);
      turn.current += 1;
      setState(answer);
      setError(null);
      // A lower limit may have deleted the oldest calls, so the list is read again.
      history.log.renew();
    },
    [hall, history],
  );
  return { state, error, renew, change };
}
