import { useEffect } from "react";

import { isSettled } from "../hall/state";
import { useStore } from "../hall/store";
import { fetchPages } from "./pages";
import type { House } from "./house";

/**
 * Marks on the document what an onlooker waits for: `data-ready="roster"` once the roster is on
 * the screen, `data-settled` while no member is on its way. The shell is told that the page listens.
 */
export function usePainted(house: House): void {
  const opened = useStore(house.hall.state, (state) => state.opened);
  const settled = useStore(
    house.hall.state,
    (state) => state.opened && state.members.every(({ status }) => isSettled(status)),
  );

  useEffect(() => {
    if (!opened) return;
    document.documentElement.dataset["ready"] = "roster";
    const { hall, found, firstRun } = house;
    let wanted = true;
    let frame = 0;
    const tell = () => {
      // The first frame paints what was just rendered; at the second it is on the screen.
      frame = requestAnimationFrame(() => {
        frame = requestAnimationFrame(() => {
          hall.listens();
          // Many files are read for it, which keeps nobody waiting now.
          void found.read();
          firstRun.read();
        });
      });
    };
    // The members start once the shell knows that the page listens: what they run is on the screen before
    // that, where it is shown at all.
    if (firstRun.isLeft) tell();
    else frame = requestAnimationFrame(() => void firstRun.plan().then(() => wanted && tell()));
    const callOff = fetchPages();
    return () => {
      wanted = false;
      cancelAnimationFrame(frame);
      callOff();
    };
  }, [house, opened]);

  useEffect(() => {
    document.documentElement.dataset["settled"] = String(settled);
  }, [settled]);
}
