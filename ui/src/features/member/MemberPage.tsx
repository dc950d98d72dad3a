/** The page of one member: a header with its state and actions, above tabs for its tools, log and configuration. */
import { Tabs } from "radix-ui";
import { lazy, Suspense, useEffect, useState, type ReactNode } from "react";

import type { Code, MemberDetail, MemberName, MemberTools, MemberView } from "../../ipc/bindings";
import { useHall } from "../../lib/hall/hall";
import { useNavigation } from "../../lib/navigation/navigation";
import type { OfferTab, MemberTab } from "../../lib/navigation/places";
import { useStore } from "../../lib/store";
import { Band } from "../../components/Badge";
import { ErrorReport } from "../../components/ErrorReport";
import { foundWords, isConfirmed } from "../../lib/words/found";
import { number } from "../../lib/format";
import { Configuration } from "./Configuration";
import { MemberHeader } from "./MemberHeader";
import { listedIn } from "./offers/offer";
import { hasCapability, useOffers } from "./offers/useOffers";
import { SignInPanel } from "./signIn/SignInPanel";
import { StatusBand } from "./StatusBand";
import { ToolsTab } from "./ToolsTab";
import { useMemberDetail } from "./useMemberDetail";

const OffersTab = lazy(() => import("./offers/OffersTab").then((module) => ({ default: module.OffersTab })));
const LogView = lazy(() => import("./LogView"));
const PredictionPanel = lazy(() => import("../settings/discovery/PredictionPanel"));
const ReviewPanel = lazy(() => import("../review/ReviewPanel"));
const DevTab = lazy(() => import("./dev/DevTab"));

interface Props {
  member: MemberName;
  /** The tab that is open at first; `null` for the default. */
  first: MemberTab | null;
}

export default function MemberPage({ member, first }: Props) {
  const hall = useHall();
  const view = useStore(hall.state, (state) => state.byName.get(member));
  if (!view) return <div aria-busy className="flex-1" />;
  return <Known view={view} first={first} />;
}

/** Codes of the errors of a server that was reached but did not list its tools. */
const LISTED_NOTHING: readonly Code[] = [
  "start-timeout", "handshake-timeout", "handshake-failed", "member-exited", "crash-loop",
  "connection-failed", "answer-malformed", "answer-too-large", "rpc-error", "list-failed",
];

/** Whether a model can predict, or has predicted, the tools of a local server that failed to list them. */
function mayPredict({ transport, error, tools }: MemberView, listed: MemberTools | null): boolean {
  const failed = error !== null && LISTED_NOTHING.includes(error.code);
  // The length of a loaded tool list takes precedence, because the count in the member's view changes before the list
  // is loaded again.
  const none = (listed?.tools.length ?? tools) === 0;
  return transport === "stdio" && failed && (none || listed?.found?.rung === "prediction");
}

/** The tab to select. A member that needs a review opens with the Review tab. */
function tabOf(view: MemberView, first: MemberTab | null, before: MemberTab): MemberTab {
  if (first) return first;
  if (view.status === "unreviewed") return "review";
  return before === "review" ? "tools" : before;
}

/** Whether the member's plugin.json has settings for developers: `dev` or `examples`. */
function isDeveloped(detail: MemberDetail | null): boolean {
  try {
    const manifest: unknown = JSON.parse(detail?.manifest ?? "null");
    return typeof manifest === "object" && manifest !== null && ("dev" in manifest || "examples" in manifest);
  } catch {
    return false;
  }
}

const OFFERS: readonly OfferTab[] = ["resources", "prompts", "skills"];

function Known({ view, first }: { view: MemberView; first: MemberTab | null }) {
  const hall = useHall();
  const { memberTab } = useNavigation();
  const { detail, error } = useMemberDetail(hall, view);
  const listed = useStore(hall.lists, (all) => all.get(view.name)?.tools) ?? null;
  const found = listed?.found ?? null;
  const lists = useOffers(view, detail?.server ?? null);
  const [{ tab: selected, ...asked }, setShown] = useState(() => ({ member: view.name, first, tab: tabOf(view, first, "tools") }));
  if (asked.member !== view.name || asked.first !== first) {
    setShown({ member: view.name, first, tab: tabOf(view, first, selected) });
  }
  const hasDev = first === "dev" || isDeveloped(detail);
  const hasSkills = first === "skills" || hasCapability(detail?.server ?? null, "skills") === true || (lists.offers?.skills.length ?? 0) > 0;
  const isHidden = (selected === "dev" && !hasDev) || (selected === "skills" && !hasSkills);
  const tab = isHidden ? "tools" : selected;
  const setTab = (next: MemberTab) => setShown((now) => ({ ...now, tab: next }));
  useEffect(() => hall.watch(view.name), [hall, view.name]);
  useEffect(() => memberTab.set(tab), [memberTab, tab]);
  const countOf = (one: OfferTab) => (lists.offers ? listedIn(lists.offers, one).length : undefined);

  return (
    <article className="flex min-h-0 flex-1 flex-col short:overflow-y-auto" aria-labelledby="member-title">
      <MemberHeader view={view} />
      <div className="flex max-h-1/2 shrink-0 flex-col gap-2 overflow-y-auto px-5 pb-2 empty:hidden short:max-h-none">
        {view.error?.code !== "sign-in-needed" && <StatusBand view={view} tab={tab} onTab={setTab} />}
        <SignInPanel view={view} />
        {error && <ErrorReport report={error} />}
        {found && (
          <div role="note" data-testid="found-by">
            <Band tone="warn" icon="warning">
              Tools {foundWords(found)}. {!isConfirmed(found) && "You and agents can call them once the server confirms them."}
            </Band>
          </div>
        )}
        {mayPredict(view, listed) && (
          <Suspense>
            <PredictionPanel key={view.name} view={view} predicted={found?.rung === "prediction"} />
          </Suspense>
        )}
      </div>
      <Tabs.Root value={tab} onValueChange={(next) => setTab(next as MemberTab)} className="flex min-h-0 flex-1 flex-col short:flex-none">
        <div className="relative flex shrink-0 gap-x-5 border-b border-line px-5">
          <Tabs.List aria-label={`Parts of ${view.name}`} className="flex flex-wrap gap-x-5">
            <TabButton value="tools" count={view.freshness === "unknown" ? undefined : view.tools}>Tools</TabButton>
            <TabButton value="resources" count={countOf("resources")}>Resources</TabButton>
            <TabButton value="prompts" count={countOf("prompts")}>Prompts</TabButton>
            {hasSkills && <TabButton value="skills" count={countOf("skills")}>Skills</TabButton>}
            <TabButton value="log">Log</TabButton>
            <TabButton value="configuration">Configuration</TabButton>
            <TabButton value="review" count={view.trust.held || undefined}>Review</TabButton>
            {hasDev && <TabButton value="dev">Dev</TabButton>}
          </Tabs.List>
          {view.status === "starting" && <StartProgress lastStderr={view.lastStderr} />}
        </div>
        <Pane value="tools"><ToolsTab key={view.name} view={view} onTab={setTab} /></Pane>
        {OFFERS.map((one) => (
          <Pane key={one} value={one} padded><OffersTab view={view} server={detail?.server ?? null} lists={lists} tab={one} /></Pane>
        ))}
        <Pane value="log"><LogView member={view.name} /></Pane>
        <Pane value="configuration"><Configuration view={view} detail={detail} found={found} /></Pane>
        <Pane value="review" padded><ReviewPanel key={view.name} view={view} /></Pane>
        <Pane value="dev" padded><DevTab key={view.name} view={view} /></Pane>
      </Tabs.Root>
    </article>
  );
}

/** The progress of a start. It uses free space beside and above the tabs, so that nothing moves when it appears. */
function StartProgress({ lastStderr }: Pick<MemberView, "lastStderr">) {
  return (
    <>
      <div aria-hidden className="absolute inset-x-0 top-0 h-0.5 animate-pulse bg-accent" />
      {lastStderr !== null && <p dir="ltr" className="min-w-0 flex-1 basis-0 self-center truncate text-end font-mono text-sm text-dim select-text max-narrow:hidden">{lastStderr}</p>}
    </>
  );
}

function TabButton({ value, count, children }: { value: MemberTab; count?: number | undefined; children: ReactNode }) {
  return (
    <Tabs.Trigger
      value={value}
      className="-mb-px border-b-2 border-transparent py-2 font-medium whitespace-nowrap text-dim hover:text-text data-[state=active]:border-accent data-[state=active]:text-text"
    >
      {children}{" "}
      {count !== undefined && <span className="font-normal text-faint">{number(count)}</span>}
    </Tabs.Trigger>
  );
}

function Pane({ value, padded = false, children }: { value: MemberTab; padded?: boolean; children: ReactNode }) {
  return (
    <Tabs.Content value={value} className={`flex min-h-0 flex-1 flex-col ${padded ? "overflow-y-auto px-5 py-4 short:overflow-visible" : ""}`}>
      <Suspense fallback={<div aria-busy className="flex-1" />}>{children}</Suspense>
    </Tabs.Content>
  );
}
