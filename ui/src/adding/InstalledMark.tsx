/** The same on every other page than that for adding: in the status bar, which leads to the review. */
import { memberOf, useHouse } from "../app/house";
import { useStore } from "../hall/store";
import { Sign } from "../parts/Icon";
import { useMeanwhile } from "./useMeanwhile";

export function InstalledMark() {
  const house = useHouse();
  const meanwhile = useMeanwhile();
  const place = useStore(house.place, (now) => now);
  // The page for adding says it in full, and its own page is where it leads.
  if (meanwhile === null || place.kind === "adding" || memberOf(place) === meanwhile.installed.member) return null;
  const { said, installed } = meanwhile;
  return (
    <button
      type="button"
      data-testid="installed-mark"
      title={said}
      className="max-w-60 min-w-0 truncate rounded-sm px-1 hover:bg-hover hover:text-text"
      onClick={() => house.openInstalled(installed)}
    >
      <Sign of="dot" className="text-ok me-1" />{installed.member} is installed: review it
    </button>
  );
}
