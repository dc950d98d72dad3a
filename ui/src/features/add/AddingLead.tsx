import { useHouse } from "../../app/house";
import { Button } from "../../components/Button";

/** Opens the Add member dialog. */
export function AddingLead({ className = "" }: { className?: string }) {
  const house = useHouse();
  return (
    <Button className={className} onClick={() => house.openAdding()}>
      Add member…
    </Button>
  );
}
