import { useEffect } from "react";

import { isSettled } from "../lib/hall/state";
import { useStore } from "../lib/store";
import { fetchPages } from "./pages";
import type { Stores } from "./stores";

/**
 * Notifies the shell that the page handles links, and loads data that the first paint did not need. Sets
 * attributes of the root element for tests and measurements: `data-ready="roster"` once the roster is rendered, and
 * `data-settled="true"` while no member is starting, stopping or waiting for a restart.
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
      // The first frame paints the rendered elements. In the second frame they are on the screen.
      frame = requestAnimationFrame(() => {
        frame = requestAnimationFrame(() => {
          hall.listens();
          // This request reads many files, so it is sent after the first paint.
          void found.read();
          firstRun.read();
        });
      });
    };
    // The shell starts the members after `listens()`. While the first-run steps are shown, the page calls it only after
    // it has listed the members' commands.
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
