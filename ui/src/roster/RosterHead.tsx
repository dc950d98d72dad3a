import { useHouse } from "../app/house";
import { useStore } from "../hall/store";
import { Button } from "../parts/Button";
import { words as frame } from "../words/frame";
import { words } from "../words/roster";

/** How much there is, and the buttons that add members and read all lists anew. */
export function RosterHead() {
  const house = useHouse();
  const { hall } = house;
  const members = useStore(hall.state, (state) => state.members);
  const busy = useStore(hall.pending, (pending) => pending.has("refresh_tool_caches"));
  const tools = members.reduce((sum, member) => sum + member.tools, 0);
  const unavailable = busy ? words.listsBeingRead : members.length === 0 ? frame.noMembers : undefined;
  return (
    <header className="flex h-9 items-center gap-2 px-3">
      <h2 className="font-semibold">{frame.roster}</h2>
      <span
        className="min-w-0 flex-1 truncate text-sm text-dim"
        title={frame.membersAndTools(members.length, tools)}
      >
        {frame.toolCount(tools)}
      </span>
      <Button look="quiet" title={frame.addMembers} onClick={() => house.openAdding()}>
        <span aria-hidden>+</span> {frame.add}
      </Button>
      <Button
        look="quiet"
        unavailable={unavailable}
        title={frame.refreshAll}
        onClick={() => void hall.refreshAll()}
        className="-me-1"
      >
        <span aria-hidden>⟳</span> {busy ? words.refreshing : frame.refresh}
      </Button>
    </header>
  );
}
