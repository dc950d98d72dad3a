/** One member: how it does, what to do about it, its log, its server's words, its manifest. */
import { Tabs } from "radix-ui";
import { lazy, Suspense, useEffect, useState, type ReactNode } from "react";

import { whyNot, type MemberVerb } from "../app/actions";
import { type MemberTab, useHouse } from "../app/house";
import type { Code, ListProblem, MemberName, MemberTools, MemberView, Report } from "../bridge/bindings";
import { Aids } from "../doctor/Aids";
import { useStore } from "../hall/store";
import { SavedList } from "../history/SavedList";
import { Button } from "../parts/Button";
import { CopyButton } from "../parts/CopyButton";
import { ErrorCode } from "../parts/ErrorCode";
import { Sign } from "../parts/Icon";
import { OpenButton } from "../parts/OpenButton";
import { Reading } from "../parts/Reading";
import { Reported } from "../parts/Reported";
import { StatusMark } from "../parts/StatusMark";
import { useNow } from "../parts/useNow";
import { foundWords, isConfirmed } from "../words/found";
import { statusDetail, stopWord } from "../words/doing";
import { counted, number } from "../words/format";
import { listedIn, type OfferTab } from "./offers/offer";
import type { OfferLists } from "./offers/desk";
import { useOffers } from "./offers/useOffers";
import { SignInPanel } from "./signIn/SignInPanel";
import { Facts } from "./Facts";
import { Server } from "./Server";
import { useMemberDetail } from "./useMemberDetail";

const OffersTab = lazy(() => import("./offers/OffersTab").then((module) => ({ default: module.OffersTab })));
const LogView = lazy(() => import("./LogView"));
const PredictionPanel = lazy(() => import("../discovery/PredictionPanel"));
const ReviewPanel = lazy(() => import("../review/ReviewPanel"));
const DevTab = lazy(() => import("./dev/DevTab"));

interface Props {
  member: MemberName;
  /** The tab that is shown first, where one was asked for. */
  first: MemberTab | null;
}

export default function MemberPage({ member, first }: Props) {
  const { hall } = useHouse();
  const view = useStore(hall.state, (state) => state.byName.get(member));
  if (!view) return <div aria-busy className="flex-1" />;
  return <Known view={view} first={first} />;
}

/** What a server failed with that was there, and did not say its tools. */
const SAYS_NOTHING: readonly Code[] = [
  "start-timeout", "handshake-timeout", "handshake-failed", "member-exited", "crash-loop",
  "connection-failed", "answer-malformed", "answer-too-large", "rpc-error", "list-failed",
];

/** Whether nothing but a model could say, or said, which tools a server has that did not come up. */
function mayPredict({ transport, error, tools }: MemberView, listed: MemberTools | null): boolean {
  const failed = error !== null && SAYS_NOTHING.includes(error.code);
  // The list that is known counts where there is one: the member's own count changes before it.
  const none = (listed?.tools.length ?? tools) === 0;
  return transport === "stdio" && failed && (none || listed?.found?.rung === "prediction");
}

/** A member that nobody has accepted shows first what it would run. */
function tabOf(view: MemberView, first: MemberTab | null, before: MemberTab): MemberTab {
  if (first) return first;
  if (view.status === "unreviewed") return "review";
  return before === "review" ? "log" : before;
}

function Known({ view, first }: { view: MemberView; first: MemberTab | null }) {
  const { hall, memberTab } = useHouse();
  const { detail, error } = useMemberDetail(hall, view);
  const problems = useStore(hall.lists, (lists) => lists.get(view.name)?.tools?.problems) ?? [];
  const listed = useStore(hall.lists, (all) => all.get(view.name)?.tools) ?? null;
  const found = listed?.found ?? null;
  const lists = useOffers(view, detail?.server ?? null);
  const [{ tab, ...asked }, setShown] = useState(() => ({ member: view.name, first, tab: tabOf(view, first, "log") }));
  if (asked.member !== view.name || asked.first !== first) {
    setShown({ member: view.name, first, tab: tabOf(view, first, tab) });
  }
  const setTab = (next: MemberTab) => setShown((now) => ({ ...now, tab: next }));
  useEffect(() => hall.watch(view.name), [hall, view.name]);
  useEffect(() => memberTab.set(tab), [memberTab, tab]);

  return (
    <article className="flex min-h-0 flex-1 flex-col gap-3 overflow-y-auto p-4" aria-labelledby="member-title">
      <Head view={view} />
      {view.error && <Trouble report={view.error} member={view.name} />}
      {error && <Trouble report={error} />}
      {view.warnings.length > 0 && <WarningList warnings={view.warnings} />}
      {found && (
        <p role="note" data-testid="found-by" className="break-words">
          <Sign of="warning" className="text-warn me-1" />
          {isConfirmed(found) ? `Its tools were ${foundWords(found)}.` : `Its tools were ${foundWords(found)}. They can be called, and agents get them, once the server has confirmed them.`}
        </p>
      )}
      {mayPredict(view, listed) && (
        <Suspense>
          <PredictionPanel key={view.name} view={view} predicted={found?.rung === "prediction"} />
        </Suspense>
      )}
      <SignInPanel view={view} />
      <Facts view={view} detail={detail} found={found} />
      {!detail && !error && <Reading what="its command, server and manifest" className="" />}
      <Tabs.Root
        value={tab}
        onValueChange={(next) => setTab(next as MemberTab)}
        className="flex min-h-72 flex-1 flex-col scant:min-h-0 scant:flex-none"
      >
        <Tabs.List aria-label="More of the member" className="mb-2 flex flex-wrap gap-x-1 border-b border-line">
          <TabButton value="log">Log</TabButton>
          <TabButton value="resources">{tabWord(lists, "resources")}</TabButton>
          <TabButton value="prompts">{tabWord(lists, "prompts")}</TabButton>
          <TabButton value="server">Server</TabButton>
          <TabButton value="manifest">Manifest</TabButton>
          <TabButton value="saved">Saved calls</TabButton>
          <TabButton value="review">{view.trust.held > 0 ? `Review (${counted(view.trust.held, { one: "tool", other: "tools" })} held back)` : "Review"}</TabButton>
          <TabButton value="dev">Dev</TabButton>
          {problems.length > 0 && <TabButton value="problems">Left out ({number(problems.length)})</TabButton>}
        </Tabs.List>
        <Tabs.Content value="log" className="flex min-h-0 flex-1 flex-col">
          <Suspense fallback={<div aria-busy className="flex-1" />}>
            <LogView member={view.name} />
          </Suspense>
        </Tabs.Content>
        {OFFERS.map((one) => (
          <Tabs.Content key={one} value={one} className="flex min-h-0 flex-1 flex-col">
            <Suspense fallback={<div aria-busy className="flex-1" />}>
              <OffersTab view={view} server={detail?.server ?? null} lists={lists} tab={one} />
            </Suspense>
          </Tabs.Content>
        ))}
        <Tabs.Content value="saved">
          <SavedList member={view.name} tool={null} />
        </Tabs.Content>
        <Tabs.Content value="server">
          <Server server={detail?.server ?? null} />
        </Tabs.Content>
        <Tabs.Content value="manifest">
          <Manifest member={view.name} text={detail?.manifest ?? null} folder={detail?.folder ?? ""} />
        </Tabs.Content>
        <Tabs.Content value="review">
          <Suspense fallback={<div aria-busy className="flex-1" />}>
            <ReviewPanel key={view.name} view={view} />
          </Suspense>
        </Tabs.Content>
        <Tabs.Content value="dev">
          <Suspense fallback={<div aria-busy className="flex-1" />}>
            <DevTab key={view.name} view={view} />
          </Suspense>
        </Tabs.Content>
        <Tabs.Content value="problems">
          <Problems problems={problems} />
        </Tabs.Content>
      </Tabs.Root>
    </article>
  );
}

const OFFERS: readonly OfferTab[] = ["resources", "prompts"];

/** The tab's word, with the number of its entries once that is known. */
function tabWord({ offers }: OfferLists, tab: OfferTab): string {
  const [word, counted] = tab === "prompts" ? ["Prompts", (count: number) => `Prompts (${number(count)})`] : ["Resources", (count: number) => `Resources (${number(count)})`];
  return offers ? counted(listedIn(offers, tab).length) : word;
}

function Head({ view }: { view: MemberView }) {
  const { hall } = useHouse();
  const pending = useStore(hall.pending, (all) => all);
  const now = useNow(1_000);
  const button = (verb: MemberVerb, label: string) => (
    <Button
      data-testid={verb}
      unavailable={whyNot(verb, view, pending)}
      onClick={() => void hall.tend(`${verb}_member`, view.name)}
    >
      {pending.has(`${verb}_member:${view.name}`) ? `${label}…` : label}
    </Button>
  );
  return (
    <header className="flex flex-wrap items-start gap-x-4 gap-y-2">
      <div className="min-w-0 flex-1 basis-64">
        <h1 id="member-title" className="text-lg font-semibold break-words">
          {view.name} <span className="text-base font-normal text-dim">{view.version}</span>
        </h1>
        {view.description !== "" && <p className="line-clamp-3 break-words text-dim" title={view.description}>{view.description}</p>}
        <p className="mt-1 flex flex-wrap items-center gap-x-2" data-testid="member-status" data-status={view.status}>
          <StatusMark status={view.status} wordClass="font-medium" />
          <span className="text-dim">{statusDetail(view, now)}</span>
        </p>
        {view.status === "starting" && view.lastStderr !== null && (
          <p className="truncate font-mono text-sm text-dim" title={view.lastStderr}>{view.lastStderr}</p>
        )}
      </div>
      <div className="flex flex-wrap gap-2">
        {button("start", view.status === "backoff" ? "Start now" : "Start")}
        {button("stop", stopWord(view))}
        {button("restart", "Restart")}
        {button("refresh", "Refresh tools")}
      </div>
    </header>
  );
}

function TabButton({ value, children }: { value: MemberTab; children: ReactNode }) {
  return (
    <Tabs.Trigger
      value={value}
      className="-mb-px border-b-2 border-transparent px-2 py-1 whitespace-nowrap text-dim hover:text-text data-[state=active]:border-accent data-[state=active]:text-text"
    >
      {children}
    </Tabs.Trigger>
  );
}

function Trouble({ report, member }: { report: Report; member?: MemberName }) {
  return (
    <section
      aria-label="What is wrong"
      data-testid="member-error"
      data-code={report.code}
      className="max-h-48 shrink-0 overflow-y-auto rounded-md border border-bad bg-bad-fill px-3 py-2 select-text"
    >
      <p className="break-words whitespace-pre-wrap">
        <Sign of="cross" className="text-bad me-1" />
        {report.message} <ErrorCode code={report.code} />
      </p>
      {report.hint !== "" && <p className="mt-1 break-words text-dim">{report.hint}</p>}
      {member !== undefined && <Aids report={report} member={member} />}
    </section>
  );
}

function WarningList({ warnings }: { warnings: readonly Report[] }) {
  return (
    <ul aria-label="Warnings" className="max-h-40 shrink-0 overflow-y-auto rounded-md border border-warn bg-warn-fill px-3 py-2 select-text">
      {warnings.map((report, index) => (
        <li key={index} className="break-words">
          <Sign of="warning" className="text-warn me-1" />
          <Reported report={report} />
        </li>
      ))}
    </ul>
  );
}

function Manifest({ member, text, folder }: { member: MemberName; text: string | null; folder: string }) {
  if (text === null) return <p className="text-dim">There is no plugin.json that could be read.</p>;
  return (
    <>
      <div className="flex items-center gap-2 text-dim">
        <span className="min-w-0 flex-1 break-all">{folder}/plugin.json, read-only here</span>
        <OpenButton what={{ kind: "manifest", member }} label="Open plugin.json" />
        <CopyButton what="the manifest" text={() => text} />
      </div>
      <pre dir="ltr" className="overflow-x-auto rounded-sm border border-line bg-surface p-2 font-mono text-sm select-text">{text}</pre>
    </>
  );
}

/** So many problems are listed; a list can have thousands. */
const PROBLEMS_SHOWN = 200;

function Problems({ problems }: { problems: readonly ListProblem[] }) {
  return (
    <ul className="flex flex-col gap-1 select-text">
      {problems.slice(0, PROBLEMS_SHOWN).map((problem) => (
        <li key={problem.index} className="break-words">
          <span className="text-dim">#{problem.index}</span> {problem.name ?? "(no name)"}: {problem.reason}
        </li>
      ))}
      {problems.length > PROBLEMS_SHOWN && <li className="text-dim">and {number(problems.length - PROBLEMS_SHOWN)} more</li>}
    </ul>
  );
}
