import { useHouse } from "../app/house";
import { useStore } from "../hall/store";
import { Button } from "../parts/Button";
import { counted } from "../words/count";

/** How much there is, and the buttons that add members and read all lists anew. */
export function RosterHead() {
  const house = useHouse();
  const { hall } = house;
  const members = useStore(hall.state, (state) => state.members);
  const busy = useStore(hall.pending, (pending) => pending.has("refresh_tool_caches"));
  const tools = members.reduce((sum, member) => sum + member.tools, 0);
  const unavailable = busy
    ? "The lists are being read"
    : members.length === 0
      ? "There are no members"
      : undefined;
  return (
    <header className="flex h-9 items-center gap-2 px-3">
      <h2 className="font-semibold">Roster</h2>
      <span
        className="min-w-0 flex-1 truncate text-sm text-dim"
        title={`${counted(members.length, "member")} with ${counted(tools, "tool")}`}
      >
        {counted(tools, "tool")}
      </span>
      <Button look="quiet" title="Add members" onClick={() => house.openAdding()}>
        <span aria-hidden>+</span> Add…
      </Button>
      <Button
        look="quiet"
        unavailable={unavailable}
        title="Read all tool lists anew, starting members where needed"
        onClick={() => void hall.refreshAll()}
        className="-me-1"
      >
        <span aria-hidden>⟳</span> {busy ? "Refreshing…" : "Refresh"}
      </Button>
    </header>
  );
}
