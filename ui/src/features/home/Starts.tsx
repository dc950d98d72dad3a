/**
 * The members that start together with Guild Hall, with their commands. The list is shown before any of them starts.
 */
import { useHall } from "../../lib/hall/hall";
import { useStore } from "../../lib/store";
import { StatusMark } from "../../components/StatusMark";
import { counted } from "../../lib/format";
import { PLANNED_MAX, useFirstRun } from "./firstRun";

const MORE_MEMBERS = { one: "more", other: "more" };

/**
 * Stores the time of the first render in the attribute `data-drawn`, in milliseconds since the epoch. The app
 * itself does not read the attribute.
 */
const noteDrawn = (element: HTMLElement | null) => {
  if (element) element.dataset["drawn"] ??= String(Date.now());
};

export function Starts() {
  const firstRun = useFirstRun();
  const hall = useHall();
  const planned = useStore(firstRun.planned, (now) => now);
  const byName = useStore(hall.state, (state) => state.byName);
  if (planned === null) return null;
  const { count, members } = planned;
  if (count === 0) return <p ref={noteDrawn} data-testid="starts" className="text-dim">No members start now</p>;
  return (
    <details ref={noteDrawn} data-testid="starts" className="text-dim">
      <summary className="w-fit rounded-sm hover:text-text">
        {counted(count, { one: "member starts", other: "members start" })} with Guild Hall
      </summary>
      {/* A scrollable list needs a `tabIndex`, so that the keyboard can scroll it. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <ul aria-label="Commands that start now" tabIndex={0} className="mt-2 flex max-h-60 flex-col gap-1 overflow-y-auto rounded-md border border-line bg-sidebar px-3 py-2">
        {members.map(({ member, runs, own }) => {
          const view = byName.get(member);
          return (
            <li key={member} className="min-w-0 break-words">
              <span className="font-medium">{member}</span>
              {view && <> <StatusMark status={view.status} wordClass="text-sm text-dim" /></>}
              {own && <span className="text-sm text-dim"> · part of Guild Hall</span>}
              {view?.lifecycle === "on-demand" && <span className="text-sm text-dim"> · on demand</span>}
              <code className="block font-mono text-sm wrap-anywhere text-dim select-text">{runs ?? "Open its page for the error"}</code>
            </li>
          );
        })}
      </ul>
      {count > PLANNED_MAX && <p className="text-dim">and {counted(count - PLANNED_MAX, MORE_MEMBERS)}; see each member's page</p>}
    </details>
  );
}
