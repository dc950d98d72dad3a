import { useEffect } from "react";

import { isSettled } from "../lib/hall/state";
import { useStore } from "../lib/store";
import { fetchPages } from "./pages";
import type { Stores } from "./stores";

/**
 * Sets document attributes for external observers: `data-ready="roster"` once the roster is on the screen,
 * `data-settled` while no member is starting, stopping or waiting for a restart. Notifies the shell that the
 * page is listening.
 */
export function useReadiness(stores: Stores): void {
  const opened = useStore(stores.hall.state, (state) => state.opened);
  const settled = useStore(
    stores.hall.state,
    (state) => state.opened && state.members.every(({ status }) => isSettled(status)),
  );

  useEffect(() => {
    if (!opened) return;
    document.documentElement.dataset["ready"] = "roster";
    const { hall, found, firstRun } = stores;
    let wanted = true;
    let frame = 0;
    const tell = () => {
      // The first frame paints what was just rendered; at the second it is on the screen.
      frame = requestAnimationFrame(() => {
        frame = requestAnimationFrame(() => {
          hall.listens();
          // This reads many files, which no longer delays the first paint.
          void found.read();
          firstRun.read();
        });
      });
    };
    // The shell starts the members when it learns that the page is listening. If the first run shows their
    // commands, they are on the screen before that.
    if (firstRun.isLeft) tell();
    else frame = requestAnimationFrame(() => void firstRun.plan().then(() => wanted && tell()));
    const callOff = fetchPages();
    return () => {
      wanted = false;
      cancelAnimationFrame(frame);
      callOff();
    };
  }, [stores, opened]);

  useEffect(() => {
    document.documentElement.dataset["settled"] = String(settled);
  }, [settled]);
}
