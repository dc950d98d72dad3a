/** What was installed while its person was elsewhere, as long as it waits for a review, and the way there. */
import { useHouse } from "../app/house";
import { Button } from "../parts/Button";
import { Sign } from "../parts/Icon";
import { useMeanwhile } from "./useMeanwhile";

export function Meanwhile() {
  const house = useHouse();
  const meanwhile = useMeanwhile();
  if (meanwhile === null) return null;
  const { said, installed } = meanwhile;
  return (
    <p data-testid="installed-meanwhile" className="mx-4 mt-2 flex shrink-0 flex-wrap items-center gap-x-3 gap-y-1 rounded-md border border-line px-3 py-2">
      <span className="min-w-0 flex-1 basis-60 break-words">
        <Sign of="dot" className="text-ok me-1" />
        {said}
      </span>
      <Button onClick={() => house.openInstalled(installed)}>Open {installed.member}</Button>
    </p>
  );
}
