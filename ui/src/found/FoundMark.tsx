/** That other programs have servers that no member runs: quietly in the status bar, and beside an empty roster. */
import { useHouse } from "../app/house";
import { useStore } from "../hall/store";
import { Button } from "../parts/Button";
import { words } from "../words/foundCount";

export function FoundMark() {
  const house = useHouse();
  const count = useStore(house.found.count, (now) => now);
  if (count === 0) return null;
  return (
    <button
      type="button"
      data-testid="found-mark"
      title={words.noMemberRuns(count)}
      className="rounded-sm px-1 hover:bg-hover hover:text-text"
      onClick={() => house.openFound()}
    >
      <span aria-hidden className="text-accent">○</span> {words.found(count)}
    </button>
  );
}

/** Leads to the found servers, and says how many are new: as the first thing to do here, or as one more. */
export function FoundLead({ className = "", first = true }: { className?: string; first?: boolean }) {
  const house = useHouse();
  const count = useStore(house.found.count, (now) => now);
  return (
    <Button look={first && count > 0 ? "accent" : "plain"} className={className} onClick={() => house.openFound()}>
      {count > 0 ? words.lookAt(count) : words.foundServers}
    </Button>
  );
}
