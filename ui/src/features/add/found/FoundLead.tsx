import { useNavigation } from "../../../lib/navigation/navigation";
import { useStore } from "../../../lib/store";
import { Button } from "../../../components/Button";
import { counted } from "../../../lib/format";
import { useFoundStore } from "./foundStore";

/** The button that opens the servers found in other apps. The label contains the number of new servers. */
export function FoundLead({ className = "" }: { className?: string }) {
  const found = useFoundStore();
  const navigation = useNavigation();
  const count = useStore(found.count, (now) => now);
  return (
    <Button look={count > 0 ? "accent" : "plain"} className={className} onClick={() => navigation.openFound()}>
      {count > 0 ? `Review ${counted(count, { one: "server", other: "servers" })}` : "Import servers"}
    </Button>
  );
}
