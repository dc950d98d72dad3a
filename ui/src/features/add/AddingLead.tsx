import { Button } from "../../components/Button";
import { useNavigation } from "../../lib/navigation/navigation";

/** The button that opens the Add member dialog. */
export function AddingLead({ className = "" }: { className?: string }) {
  const navigation = useNavigation();
  return (
    <Button className={className} onClick={() => navigation.openAdding()}>
      Add member…
    </Button>
  );
}
