import { AddingLead } from "../adding/AddingLead";
import type { MemberView } from "../bridge/bindings";
import { FoundLead } from "../found/FoundMark";
import { useStore } from "../hall/store";
import { Button } from "../parts/Button";
import { CopyButton } from "../parts/CopyButton";
import { drawNow } from "../parts/drawNow";
import { ErrorCode } from "../parts/ErrorCode";
import { Reading } from "../parts/Reading";
import { StatusMark } from "../parts/StatusMark";
import { counted, type Forms } from "../words/format";
import { keyLabel } from "../words/keys";
import { FirstSteps } from "../welcome/FirstSteps";
import { byUse } from "../welcome/use";
import { actionsOf } from "./actions";
import { useHouse } from "./house";
import { focusPage } from "./regions";

const TOOLS: Forms = { one: "tool", other: "tools" };

/** The actions whose keys are named first; the sheet of keys has them all. */
const NAMED = ["palette", "tools", "search", "run", "cancel", "regions", "help", "keys"];

/** What a manifest looks like, for a server that many people have. */
const SAMPLE = `{
  "name": "memory",
  "version": "1.0.0",
  "description": "A knowledge graph in one file",
  "transport": "stdio",
  "command": "npx",
  "args": ["-y", "@modelcontextprotocol/server-memory"]
}`;

/** So many members are named as a place to begin. */
const SUGGESTED = 3;

export function Welcome() {
  const { hall } = useHouse();
  const opened = useStore(hall.state, (state) => state.opened);
  const members = useStore(hall.state, (state) => state.members);
  const lost = useStore(hall.lost, (report) => report !== null);
  if (!opened) return lost ? null : <Reading what="the members" />;
  return (
    <div className="flex-1 overflow-y-auto">
      <div className="mx-auto max-w-2xl px-6 py-8">
        <FolderTrouble />
        {members.length === 0 ? <NoMembers /> : <Begin members={members} />}
        <Keys />
      </div>
    </div>
  );
}

/** What is wrong with the members' folder itself. */
function FolderTrouble() {
  const error = useStore(useHouse().hall.state, (state) => state.folderError);
  if (!error) return null;
  return (
    <div role="alert" data-code={error.code} className="mb-4 rounded-md border border-bad bg-bad-fill p-3">
      <p className="line-clamp-6 break-words">{error.message}</p>
      <ErrorCode code={error.code} />
      {error.hint !== "" && <p className="mt-1 break-words text-dim">{error.hint}</p>}
    </div>
  );
}

function NoMembers() {
  const { hall } = useHouse();
  const folder = useStore(hall.state, (state) => state.membersDir);
  return (
    <>
      <h1 className="text-xl font-semibold">No members yet</h1>
      <p className="mt-3">Guild Hall looks for members in this folder, and watches it:</p>
      <p className="mt-1 rounded-sm bg-surface px-2 py-1 font-mono text-sm break-all select-text">{folder}</p>
      <p className="mt-3">
        Each member is a folder of its own with a <code className="font-mono text-sm">plugin.json</code> that says how its MCP server is started:
      </p>
      <div className="relative mt-1">
        <pre className="overflow-x-auto rounded-sm bg-surface px-2 py-1 font-mono text-sm select-text">{SAMPLE}</pre>
        <span className="absolute end-1 top-1">
          <CopyButton what="the sample" text={() => SAMPLE} />
        </span>
      </div>
      <p className="mt-3">A member that you add shows up here within a second.</p>
      <p className="mt-3">Servers that other programs have in their files can be adopted; nothing of them is started before that:</p>
      <FoundLead className="mt-1" />
      <p className="mt-3">What a server's page shows can be pasted, or brought in as a file:</p>
      <AddingLead className="mt-1" />
    </>
  );
}

function Begin({ members }: { members: readonly MemberView[] }) {
  const house = useHouse();
  const tools = members.reduce((sum, member) => sum + member.tools, 0);
  const left = useStore(house.firstRun.kept, (kept) => kept.left);
  const bringBack = () => {
    house.firstRun.leave(false);
    // The button is gone with that; the focus stays on the page.
    drawNow();
    focusPage();
  };
  return (
    <>
      <h1 className="text-xl font-semibold">Welcome to the Guild Hall</h1>
      <p className="mt-2 text-dim">{counted(members.length, { one: "member", other: "members" })} with {counted(tools, TOOLS)}. Open a member in the roster to see its tools, and a tool to call it from a form.</p>
      {left ? (
        <>
          <Suggested members={members} />
          <Others />
          <Button look="quiet" className="mt-4" onClick={bringBack}>Show the first steps</Button>
        </>
      ) : (
        <FirstSteps />
      )}
    </>
  );
}

/** Members to begin with. */
function Suggested({ members }: { members: readonly MemberView[] }) {
  const house = useHouse();
  return (
    <ul aria-label="Members" className="mt-4 flex flex-col gap-2">
      {byUse(members).slice(0, SUGGESTED).map((view) => (
        <li key={view.name} className="flex items-center gap-3 rounded-md border border-line px-3 py-2">
          <div className="min-w-0 flex-1">
            <p className="flex items-baseline gap-2">
              <span className="truncate font-medium">{view.name}</span>
              <span className="shrink-0 text-sm text-dim">
                <StatusMark status={view.status} />
              </span>
            </p>
            <p className="line-clamp-2 text-sm break-words text-dim">
              {view.error ? view.error.message : [counted(view.tools, TOOLS), view.description].filter(Boolean).join(" · ")}
            </p>
          </div>
          <Button
            aria-label={`Open ${view.name}`}
            onClick={() => {
              house.openMember(view.name);
              house.setExpanded(view.name, true);
            }}
          >
            Open
          </Button>
        </li>
      ))}
    </ul>
  );
}

/** Leads to what other programs have, where something of it is new. */
function Others() {
  const count = useStore(useHouse().found.count, (now) => now);
  if (count === 0) return null;
  return (
    <div className="mt-4 flex flex-wrap items-center gap-2">
      <p className="min-w-0 flex-1 basis-60 text-dim">Other programs have servers in their files that no member runs.</p>
      <FoundLead />
    </div>
  );
}

function Keys() {
  const house = useHouse();
  // Whoever gave some of them other keys sees those; whoever took them away, none.
  useStore(house.settings.known, house.settings.ownKeys);
  const actions = actionsOf(house).filter(({ id, keys }) => NAMED.includes(id) && keys !== undefined);
  return (
    <>
      <h2 className="mt-8 font-semibold">Keys</h2>
      <dl className="mt-2 grid grid-cols-[max-content_1fr] gap-x-4 gap-y-1 text-sm">
        {actions.map(({ id, title, keys = "" }) => (
          <div key={id} className="contents">
            <dt>
              <kbd className="rounded-sm border border-line-strong bg-surface px-1 font-sans">{keyLabel(keys)}</kbd>
            </dt>
            <dd className="text-dim">{title}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}
