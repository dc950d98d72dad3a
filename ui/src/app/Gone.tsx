import type { MemberName } from "../bridge/bindings";
import { Button } from "../parts/Button";
import { words } from "../words/window";
import { useHouse } from "./house";

/** In the place of a member that has left while its page was open. */
export function Gone({ member }: { member: MemberName }) {
  const house = useHouse();
  return (
    <div className="p-6">
      <h1 className="text-lg font-semibold break-words">
        <span aria-hidden className="text-faint">○ </span>
        {member}
      </h1>
      <p className="mt-1 break-words text-dim">
        {words.gone(member)}
      </p>
      <Button className="mt-3" onClick={() => house.place.set({ kind: "welcome" })}>
        {words.showWelcome}
      </Button>
    </div>
  );
}
