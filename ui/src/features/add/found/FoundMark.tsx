/** Buttons that open the servers of other apps: in the status bar, and below an empty roster. */
import { useNavigation } from "../../../lib/navigation/navigation";
import { useStore } from "../../../lib/store";
import { Button } from "../../../components/Button";
import { Sign } from "../../../components/Icon";
import { counted, number } from "../../../lib/format";
import { Tooltip } from "../../../components/Tooltip";
import { useFoundBook } from "./foundBook";

export function FoundMark() {
  const found = useFoundBook();
  const navigation = useNavigation();
  const count = useStore(found.count, (now) => now);
  if (count === 0) return null;
  return (
    <Tooltip text={`${counted(count, { one: "server", other: "servers" })} in your other apps`}>
      <button
        type="button"
        data-testid="found-mark"
        className="rounded-sm px-1 hover:bg-hover hover:text-text"
        onClick={() => navigation.openFound()}
      >
        <Sign of="ring" className="text-accent me-1" />{number(count)} found
      </button>
    </Tooltip>
  );
}

/** Opens the servers of other apps, with the number of new ones. */
export function FoundLead({ className = "" }: { className?: string }) {
  const found = useFoundBook();
  const navigation = useNavigation();
  const count = useStore(found.count, (now) => now);
  return (
    <Button look={count > 0 ? "accent" : "plain"} className={className} onClick={() => navigation.openFound()}>
      {count > 0 ? `Review ${counted(count, { one: "server", other: "servers" })}` : "Import servers"}
    </Button>
  );
}
