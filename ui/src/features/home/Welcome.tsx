/** The home page: the first steps for a new user, the members that need attention, and the recent and saved calls. */
import { useEffect, useId, useRef, useState } from "react";

import type { Approval, HistoryEntry, MemberView } from "../../ipc/bindings";
import { useHall } from "../../lib/hall/hall";
import { useToolTitle } from "../../lib/hall/useToolTitle";
import { useNavigation } from "../../lib/navigation/navigation";
import { useAgents } from "../agents/agents";
import { DenyButton } from "../agents/approvals/DenyButton";
import { leadToApproval } from "../agents/approvals/lead";
import { useSettled } from "../agents/approvals/useSettled";
import { TimeLeft } from "../elicitation/TimeLeft";
import { useFocusLeft, useLeaving } from "../elicitation/useFocusLeft";
import { useFoundStore } from "../add/found/foundStore";
import { openCall, useCallHistory } from "../history/callHistory";
import { NO_FILTER } from "../history/filter";
import { entryFace } from "../history/outcome";
import { openSaved, repeatEntry } from "../history/runAgain";
import { useSaved } from "../history/useSaved";
import { useStore } from "../../lib/store";
import { Button } from "../../components/Button";
import { drawNow } from "../../lib/drawNow";
import { ErrorCode } from "../../components/ErrorCode";
import { Sign } from "../../components/Icon";
import { Reading } from "../../components/Reading";
import { StatusMark } from "../../components/StatusMark";
import { useNow } from "../../lib/useNow";
import { useToolPageState } from "../tool/pageState";
import { useWorkbench } from "../tool/workbench";
import { CrashNotice } from "./CrashNotice";
import { FirstSteps } from "./FirstSteps";
import { counted, number } from "../../lib/format";
import { ago } from "../../lib/time";
import { Logo } from "../../components/Logo";
import { focusPage } from "../../lib/regions";
import { useFirstRun } from "./firstRun";

/** The maximum number of calls in each list. */
const SHOWN = 5;

export function Welcome() {
  const hall = useHall();
  const opened = useStore(hall.state, (state) => state.opened);
  const members = useStore(hall.state, (state) => state.members);
  const lost = useStore(hall.lost, (report) => report !== null);
  if (!opened) return lost ? null : <Reading what="the members" />;
  return (
    <div className="flex-1 overflow-y-auto">
      <div className="mx-auto flex max-w-[920px] flex-col gap-6 px-8 py-7 max-narrow:px-4">
        <FolderErrorReport />
        {members.length === 0 ? <NoMembers /> : <Guild members={members} />}
      </div>
    </div>
  );
}

/** An error that concerns the members' folder as a whole. */
function FolderErrorReport() {
  const error = useStore(useHall().state, (state) => state.folderError);
  if (!error) return null;
  return (
    <div role="alert" data-code={error.code} className="rounded-md border border-bad bg-bad-fill p-3">
      <p className="line-clamp-6 break-words">{error.message}</p>
      <ErrorCode code={error.code} />
      {error.hint !== "" && <p className="mt-1 break-words text-dim">{error.hint}</p>}
    </div>
  );
}

function NoMembers() {
  const hall = useHall();
  const foundStore = useFoundStore();
  const navigation = useNavigation();
  const folder = useStore(hall.state, (state) => state.membersDir);
  const found = useStore(foundStore.count, (count) => count);
  return (
    <div className="mx-auto flex max-w-md flex-col items-center gap-3 py-16 text-center">
      <Logo size={40} />
      <h1 className="text-xl font-semibold">Your guild is empty</h1>
      <p className="text-dim">Add an MCP server to get its tools here.</p>
      <div className="flex flex-wrap justify-center gap-2">
        <Button look="accent" onClick={() => navigation.openAdding()}>Add member</Button>
        <Button onClick={() => navigation.openFound()}>Import from other apps{found > 0 && ` (${number(found)})`}</Button>
      </div>
      <p className="text-sm break-words text-dim select-text">
        Guild Hall also watches <code className="font-mono break-all">{folder}</code> for new members.
      </p>
    </div>
  );
}

function Guild({ members }: { members: readonly MemberView[] }) {
  const firstRun = useFirstRun();
  const left = useStore(firstRun.kept, (kept) => kept.left);
  const tools = members.reduce((sum, member) => sum + member.tools, 0);
  const bringBack = () => {
    firstRun.leave(false);
    // The pressed button is removed, so the focus moves to the page.
    drawNow();
    focusPage();
  };
  return (
    <>
      {!left && <FirstSteps />}
      {left && <header className="flex items-start gap-3">
        <div className="min-w-0 flex-1">
          <h1 className="text-xl font-semibold">Your guild</h1>
          <p className="text-dim">{counted(members.length, { one: "member", other: "members" })} · {counted(tools, { one: "tool", other: "tools" })}</p>
        </div>
        <Button look="quiet" onClick={bringBack}>Show the first steps</Button>
      </header>}
      <CrashNotice />
      <Attention members={members} />
      <RecentCalls />
      <SavedCalls />
    </>
  );
}

const LIST = "overflow-hidden rounded-lg border border-line bg-raised";
const ROW = "flex min-h-11 items-center gap-2.5 border-t border-line py-1.5 ps-3.5 pe-2 first:border-t-0";

/**
 * The items that need attention: pending approvals, failed members, and members that need review or have withheld
 * tools.
 */
function Attention({ members }: { members: readonly MemberView[] }) {
  const agents = useAgents();
  const navigation = useNavigation();
  const titleId = useId();
  const { around, onLeft } = useFocusLeft();
  const approvals = useStore(agents.approvals.open, (open) => open);
  const waiting = members.filter(({ status, trust, error }) => error !== null || status === "unreviewed" || trust.held > 0);
  if (waiting.length + approvals.size === 0) return null;
  return (
    <section ref={around} tabIndex={-1} aria-labelledby={titleId} className="outline-none">
      <h2 id={titleId} className="mb-2 font-semibold">Needs attention</h2>
      <ul className={LIST}>
        {approvals.size > 0 && <ApprovalRows approvals={[...approvals.values()]} onLeft={onLeft} />}
        {waiting.map(({ name, status, error, trust }) => {
          const review = error === null && (status === "unreviewed" || trust.held > 0);
          return (
            <li key={name} className={ROW}>
              <StatusMark status={status} wordClass="sr-only" />
              <span className="shrink-0 font-medium">{name}</span>
              <span className="min-w-0 flex-1 truncate text-sm text-dim">
                {error?.message ?? (trust.held > 0 ? `${counted(trust.held, { one: "changed tool", other: "changed tools" })} hidden from agents` : "Needs review before it starts")}
              </span>
              {!review && <Button look="quiet" aria-label={`Open log of ${name}`} onClick={() => navigation.openMember(name, true)}>Open log</Button>}
              <Button aria-label={`${review ? "Review" : "Fix"} ${name}`} onClick={() => (review ? navigation.openReview(name) : navigation.openMember(name))}>
                {review ? "Review" : "Fix…"}
              </Button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

interface ApprovalRowsProps {
  readonly approvals: readonly Approval[];
  /** Called when a row is removed while the focus is inside it. */
  readonly onLeft: () => void;
}

function ApprovalRows({ approvals, onLeft }: ApprovalRowsProps) {
  // After a row is removed, the next row appears under the pointer, so the buttons are unavailable for a short time.
  const settled = useSettled(approvals.map(({ id }) => id).join(" "));
  return approvals.map((approval) => <ApprovalRow key={approval.id} approval={approval} settled={settled} onLeft={onLeft} />);
}

function ApprovalRow({ approval, settled, onLeft }: { approval: Approval; settled: boolean; onLeft: () => void }) {
  const agents = useAgents();
  const navigation = useNavigation();
  const row = useRef<HTMLLIElement>(null);
  useLeaving(row, onLeft);
  const { id, client, member, tool, expiresAtMs } = approval;
  const unavailable = settled ? undefined : "One moment…";
  return (
    <li ref={row} className={`${ROW} flex-wrap justify-end`}>
      <Sign of="shieldCheck" className="text-warn" />
      <span className="min-w-0 flex-1 basis-52 break-words">
        <span className="font-medium"><bdi>{client}</bdi> wants to run <bdi>{tool}</bdi></span> <span className="text-sm text-dim">on <bdi>{member}</bdi></span>
      </span>
      <TimeLeft untilMs={expiresAtMs} />
      <DenyButton look="quiet" approval={approval} unavailable={unavailable} />
      <Button aria-label={`Review ${tool} for ${client}`} unavailable={unavailable} onClick={() => leadToApproval({ agents, navigation }, id)}>Review</Button>
    </li>
  );
}

function RecentCalls() {
  const hall = useHall();
  const navigation = useNavigation();
  const [entries, setEntries] = useState<readonly HistoryEntry[]>([]);
  useEffect(() => {
    let wanted = true;
    hall.ask("search_history", { filter: NO_FILTER, before: null, limit: SHOWN }).then(
      (page) => wanted && setEntries(page.entries),
      // An error is ignored, because the History page shows it.
      () => undefined,
    );
    const end = hall.onRecorded((recorded) => setEntries((known) => [...recorded].reverse().concat(known).slice(0, SHOWN)));
    return () => {
      wanted = false;
      end();
    };
  }, [hall]);
  if (entries.length === 0) return null;
  return (
    <section>
      <div className="mb-2 flex items-center">
        <h2 className="me-auto font-semibold">Recent calls</h2>
        <Button look="quiet" onClick={() => navigation.openHistory()}>Open history</Button>
      </div>
      <ul className={LIST}>
        {entries.slice(0, SHOWN).map((entry) => <RecentCall key={entry.id} entry={entry} />)}
      </ul>
    </section>
  );
}

function RecentCall({ entry }: { entry: HistoryEntry }) {
  const stores = { bench: useWorkbench(), desk: useToolPageState(), hall: useHall(), history: useCallHistory(), navigation: useNavigation() };
  const title = useToolTitle(entry.member, entry.tool);
  const now = useNow(60_000);
  const { shape, colour, word } = entryFace(entry);
  return (
    <li className={ROW}>
      <Sign of={shape} className={colour} />
      <span className="sr-only">{word}</span>
      <button type="button" aria-label={`Show the call of ${title}`} className="max-w-1/2 shrink-0 truncate rounded-sm font-medium hover:underline" onClick={() => openCall(stores, entry.id)}>
        <bdi>{title}</bdi>
      </button>
      <span className="min-w-0 flex-1 truncate text-sm text-dim">{entry.member} · <bdi>{entry.summary}</bdi></span>
      <span className="text-sm whitespace-nowrap text-faint">{ago(entry.atMs, Math.max(now, entry.atMs))}</span>
      <Button look="quiet" aria-label={`Run ${title} again`} onClick={() => void repeatEntry(stores, entry)}>
        <Sign of="refresh" />Run again
      </Button>
    </li>
  );
}

function SavedCalls() {
  const navigation = useNavigation();
  const bench = useWorkbench();
  const saved = useSaved(null, null);
  const calls = saved?.calls.slice(0, SHOWN) ?? [];
  if (calls.length === 0) return null;
  return (
    <section>
      <div className="mb-2 flex items-center">
        <h2 className="me-auto font-semibold">Saved calls</h2>
        <Button look="quiet" onClick={() => navigation.openHistory("saved")}>All saved calls</Button>
      </div>
      <ul className={LIST}>
        {calls.map((call) => (
          <li key={call.id} className={ROW}>
            <bdi className="shrink-0 font-medium">{call.name}</bdi>
            <span className="min-w-0 flex-1 truncate text-sm text-dim">{call.member} › <bdi>{call.tool}</bdi></span>
            <Button aria-label={`Open ${call.name}`} onClick={() => openSaved({ bench, navigation }, call)}>Open</Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
