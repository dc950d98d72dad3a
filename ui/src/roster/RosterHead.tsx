import { useHouse } from "../app/house";
import { useStore } from "../hall/store";
import { Button } from "../parts/Button";
import { words as frame } from "../words/frame";

/** How much there is, and the buttons that add members and read all lists anew. */
export function RosterHead() {
  const house = useHouse();
  const { hall } = house;
  const members = useStore(hall.state, (state) => state.members);
  const busy = useStore(hall.pending, (pending) => pending.has("refresh_tool_caches"));
  const tools = members.reduce((sum, member) => sum + member.tools, 0);
  const unavailable = busy ? "The lists are being read" : members.length === 0 ? "There are no members" : undefined;
  return (
    <header className="@container flex min-h-9 shrink-0 flex-wrap items-center gap-x-2 py-1 ps-3 pe-2">
      {/* The count goes below the name rather than being cut; in less room yet, the buttons lose their words. */}
      <div className="flex min-w-0 flex-1 basis-24 flex-wrap items-baseline gap-x-2">
        <h2 className="font-semibold">{frame.roster}</h2>
        <span className="text-sm text-dim" title={frame.membersAndTools(members.length, tools)}>
          {frame.toolCount(tools)}
        </span>
      </div>
      <Button look="quiet" title="Add members" onClick={() => house.openAdding()}>
        <span aria-hidden>+</span>
        <span className="@max-[240px]:sr-only">Add…</span>
      </Button>
      <Button
        look="quiet"
        unavailable={unavailable}
        title={frame.refreshAll}
        onClick={() => void hall.refreshAll()}
      >
        <span aria-hidden>⟳</span>
        <span className="@max-[336px]:sr-only">{busy ? "Refreshing…" : "Refresh"}</span>
      </Button>
    </header>
  );
}
