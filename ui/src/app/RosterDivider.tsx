import { useEffect } from "react";

import { usePaneSizes } from "../lib/paneSizes";
import { ROSTER_PX } from "../lib/rosterPanel";
import { useStore } from "../lib/store";
import { Divider } from "../components/Divider";

const STEP_PX = 16;

/** The divider that sets the roster's width, as the CSS variable `--roster`. public/theme.js restores it on start. */
export function RosterDivider() {
  const size = usePaneSizes().of("roster-width", ROSTER_PX.least, ROSTER_PX.most);
  const width = useStore(size, (chosen) => chosen);
  useEffect(() => {
    const { style } = document.documentElement;
    if (width === null) style.removeProperty("--roster");
    else style.setProperty("--roster", `${width}px`);
  }, [width]);
  return (
    <div className="absolute inset-y-0 -start-px z-10 flex max-rail:hidden">
      <Divider
        label="Width of the roster"
        controls="roster"
        value={width ?? ROSTER_PX.usual}
        least={ROSTER_PX.least}
        most={ROSTER_PX.most}
        step={STEP_PX}
        perPixel={() => 1}
        onValue={(value) => size.set(value)}
      />
    </div>
  );
}
