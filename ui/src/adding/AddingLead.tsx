import { useHouse } from "../app/house";
import { Button } from "../parts/Button";

/** Leads to the ways in which servers are brought in by hand. */
export function AddingLead({ className = "" }: { className?: string }) {
  const house = useHouse();
  return (
    <Button className={className} onClick={() => house.openAdding()}>
      Add member…
    </Button>
  );
}
