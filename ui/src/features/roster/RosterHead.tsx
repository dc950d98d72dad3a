import { useHall } from "../../lib/hall/hall";
import { useNavigation } from "../../lib/navigation/navigation";
import { useStore } from "../../lib/store";
import { IconButton } from "../../components/IconButton";
import { Tooltip } from "../../components/Tooltip";
import { number } from "../../lib/format";
import { words as frame } from "../../lib/words/frame";

/** The header of the roster: the number of members, and the buttons that add members and refresh all tool lists. */
export function RosterHead() {
  const hall = useHall();
  const navigation = useNavigation();
  const members = useStore(hall.state, (state) => state.members);
  const busy = useStore(hall.pending, (pending) => pending.has("refresh_tool_caches"));
  const tools = members.reduce((sum, member) => sum + member.tools, 0);
  const unavailable = busy ? "Refreshing tools…" : members.length === 0 ? "No members yet" : undefined;
  return (
    <header className="flex h-8 shrink-0 items-center ps-4 pe-2">
      <h2 className="text-xs font-semibold text-faint">{frame.roster}</h2>
      <Tooltip text={frame.membersAndTools(members.length, tools)}>
        <span className="ms-1.5 me-auto text-xs text-faint">{number(members.length)}</span>
      </Tooltip>
      <IconButton icon="refresh" label={busy ? "Refreshing…" : frame.refreshAll} aria-busy={busy} className={busy ? "[&>svg]:animate-spin" : ""} unavailable={unavailable} onClick={() => void hall.refreshAll()} />
      <IconButton icon="plus" label={frame.addMember} onClick={() => navigation.openAdding()} />
    </header>
  );
}
