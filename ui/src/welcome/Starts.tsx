/** What is started by itself, with all that it runs; told before anything of it is. */
import { useHouse } from "../app/house";
import { useStore } from "../hall/store";
import { StatusMark } from "../parts/StatusMark";
import { counted } from "../words/format";
import { PLANNED_MAX } from "./firstRun";

const MORE_MEMBERS = { one: "more", other: "more" };

/** Notes for an onlooker when it was drawn first, in milliseconds of the clock. */
const noteDrawn = (told: HTMLElement | null) => {
  if (told) told.dataset["drawn"] ??= String(Date.now());
};

export function Starts() {
  const { firstRun, hall } = useHouse();
  const planned = useStore(firstRun.planned, (now) => now);
  const byName = useStore(hall.state, (state) => state.byName);
  if (planned === null) return null;
  const { count, members } = planned;
  return (
    <div ref={noteDrawn} data-testid="starts" className="mt-2 rounded-md border border-line bg-surface px-3 py-2">
      <h3 className="font-medium">What starts now</h3>
      <p className="text-dim">{count === 0 ? "Guild Hall starts nothing by itself now." : `Guild Hall starts ${counted(count, { one: "member", other: "members" })} now, and nothing else but your login shell, for its variables:`}</p>
      {/* A list that scrolls is scrolled by keys too. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <ul aria-label="What starts now" tabIndex={0} className="mt-1 flex max-h-44 flex-col gap-1 overflow-y-auto">
        {members.map(({ member, runs, own }) => {
          const view = byName.get(member);
          return (
            <li key={member} className="min-w-0 break-words">
              <span className="font-medium">{member}</span>
              {view && <> <StatusMark status={view.status} wordClass="text-sm text-dim" /></>}
              {own && <span className="text-sm text-dim"> · Guild Hall's own program</span>}
              {view?.lifecycle === "on-demand" && <span className="text-sm text-dim"> · to list its tools, and again when it is called</span>}
              <code className="block font-mono text-sm wrap-anywhere text-dim select-text">{runs ?? "its page says what is wrong with it"}</code>
            </li>
          );
        })}
      </ul>
      {count > PLANNED_MAX && <p className="text-dim">and {counted(count - PLANNED_MAX, MORE_MEMBERS)}; each member's page says what it runs</p>}
    </div>
  );
}
