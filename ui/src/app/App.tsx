/** The root component of the window: the sidebar, the current page, the status bar, and the layers above them. */
import { Direction } from "radix-ui";
import { Suspense, useEffect, useRef, useState, useSyncExternalStore, type ReactNode } from "react";

import { DropMark } from "../features/add/DropMark";
import { ApprovalBar } from "../features/agents/approvals/ApprovalBar";
import { QuestionBar } from "../features/elicitation/QuestionBar";
import { useManaging } from "../features/member/edit/managing";
import { useTour } from "../features/tour/tour";
import { useHall } from "../lib/hall/hall";
import { useLayers } from "../lib/layers";
import { useNavigation } from "../lib/navigation/navigation";
import { type Place, memberOf } from "../lib/navigation/places";
import { isNarrow, useRosterPanel } from "../lib/rosterPanel";
import { useStore } from "../lib/store";
import { offerKey } from "../features/member/offers/offer";
import { toasts } from "../lib/toasts";
import { Announcer } from "./Announcer";
import { RemovedMember } from "./RemovedMember";
import { useKeys } from "./keys";
import { ConnectionLost } from "./ConnectionLost";
import { NarrowBar } from "./NarrowBar";
import { Sidebar } from "./Sidebar";
import { StatusBar } from "./StatusBar";
import { PageBoundary } from "../components/PageBoundary";
import { PageFocus } from "./PageFocus";
import { AboutDialog, AddDialog, AgentsPage, BugReportDialog, DiscoveryPage, DoctorPage, HelpPage, HistoryPage, KeySheet, MemberDialogs, MemberPage, OfferPage, Palette, QuestionPage, SecretsPage, SettingsFrame, Toaster, ToolPage, TourCallout } from "./pages";
import { RosterDivider } from "./RosterDivider";
import { followSystem } from "../lib/theme/theme";
import { useFlushOnExit } from "./useFlushOnExit";
import { OwnKeysContext } from "../lib/keys/useKeysOf";
import { useReportVisible } from "./useReportVisible";
import { useReadiness } from "./useReadiness";
import { useDesktopNavigation } from "./useDesktopNavigation";
import { StoresProvider, type Stores } from "./stores";
import { Warnings } from "./Warnings";
import { Welcome } from "../features/home/Welcome";

export function App({ stores }: { readonly stores: Stores }) {
  useKeys(stores);
  useReadiness(stores);
  useReportVisible(stores);
  useFlushOnExit(stores);
  useDesktopNavigation(stores);
  useEffect(() => followSystem(), []);
  const ownKeys = useStore(stores.settings.known, stores.settings.ownKeys);
  return (
    <Direction.Provider dir={document.documentElement.dir === "rtl" ? "rtl" : "ltr"}>
      <StoresProvider stores={stores}>
        <OwnKeysContext value={ownKeys}>
          <div className="flex h-full flex-col scant:overflow-y-auto scant:has-[[data-notice]]:scroll-pb-14">
            <NarrowBar />
            <ConnectionLost />
            <Floor />
            {/* In very small windows, where everything else scrolls, approvals and questions stay visible. */}
            <div className="contents scant:sticky scant:bottom-0 scant:z-10 scant:block scant:shrink-0">
              <ApprovalBar />
              <QuestionBar />
            </div>
            <StatusBar />
          </div>
          <OpenLayers />
          <DropMark />
          <Managed />
          <Messages />
          <Announcer />
        </OwnKeysContext>
      </StoresProvider>
    </Direction.Provider>
  );
}

/** The dialogs that edit a member. Their code loads when the first one opens. */
function Managed() {
  const managing = useManaging();
  const isUsed = useStore(managing.used, (used) => used);
  return isUsed && (
    <Suspense>
      <MemberDialogs />
    </Suspense>
  );
}

/** The toasts and notices. Their code loads when the first one appears. */
function Messages() {
  const hall = useHall();
  const open = useStore(toasts, ({ size }) => size);
  const failures = useStore(hall.notices, ({ length }) => length);
  const [isUsed, setUsed] = useState(false);
  if (!isUsed && open + failures > 0) setUsed(true);
  return isUsed && (
    <Suspense>
      <Toaster />
    </Suspense>
  );
}

function onResize(changed: () => void): () => void {
  window.addEventListener("resize", changed);
  return () => window.removeEventListener("resize", changed);
}

function Floor() {
  const roster = useRosterPanel();
  const layers = useLayers();
  const navigation = useNavigation();
  const hidden = useStore(roster.hidden, (is) => is);
  const drawer = useStore(layers.shown, (layers) => layers.includes("drawer"));
  const narrow = useSyncExternalStore(onResize, isNarrow);
  const floor = useRef<HTMLDivElement>(null);
  // In very small windows, the bars scroll together with the page. A new page or drawer is scrolled into view.
  const shown = useStore(navigation.place, placeKey);
  const before = useRef(shown);
  useEffect(() => {
    if (drawer || shown !== before.current) floor.current?.scrollIntoView({ block: "nearest" });
    before.current = shown;
  }, [drawer, shown]);
  return (
    <div ref={floor} className="relative flex min-h-0 flex-1 overflow-hidden scant:h-full scant:flex-none">
      <div
        id="roster"
        className={`w-[var(--roster,264px)] shrink-0 ${hidden ? "rail:w-12" : ""} ${
          drawer ? "max-rail:absolute max-rail:inset-y-0 max-rail:start-0 max-rail:z-20 max-rail:w-[min(340px,92vw)] max-rail:animate-slide max-rail:shadow-(--shadow)" : "max-rail:w-12 max-narrow:hidden"
        }`}
      >
        <Sidebar />
      </div>
      {drawer && (
        <button
          type="button"
          aria-label="Close the sidebar"
          className="absolute inset-0 z-10 animate-fade bg-black/40 rail:hidden"
          onClick={() => layers.close("drawer")}
        />
      )}
      {/* `inert` keeps the focus out of the page below the open drawer. The margin keeps the page's position. */}
      <main data-region inert={drawer && narrow} className={`relative flex min-w-0 flex-1 flex-col ${drawer ? "max-rail:ms-12 max-narrow:ms-0" : ""}`}>
        {/* The divider is inside the page, because users who jump between regions would miss an element outside all
            regions. */}
        {!hidden && <RosterDivider />}
        <Page />
      </main>
    </div>
  );
}

function Page() {
  const navigation = useNavigation();
  const hall = useHall();
  const place = useStore(navigation.place, (now) => now);
  const member = memberOf(place);
  const known = useStore(hall.state, (state) => member === null || !state.opened || state.byName.has(member));
  if (place.kind === "welcome") return <Welcome />;
  if (member !== null && !known) return <RemovedMember member={member} />;
  return (
    <PageBoundary key={pageKey(place)}>
      <Suspense fallback={<div aria-busy className="flex-1" />}>
        {pageAt(place)}
        <PageFocus />
      </Suspense>
    </PageBoundary>
  );
}

type PagePlace = Exclude<Place, { kind: "welcome" }>;

const placeKey = (place: Place) => (place.kind === "welcome" ? place.kind : pageKey(place));

/** The React key of a page. Pages with the same key share their component state; a new key mounts the page again. */
function pageKey(place: PagePlace): string {
  switch (place.kind) {
    case "member":
      return place.member;
    case "tool":
      return `${place.member}/${place.tool}`;
    case "offer":
      return `offer ${offerKey(place.member, place.offer)}`;
    case "question":
      return `${place.member}/question ${place.id}`;
    case "discovery":
    case "doctor":
    case "secrets":
    case "settings":
      return "settings";
    case "agents":
    case "help":
    case "history":
      return place.kind;
  }
}

function pageAt(place: PagePlace): ReactNode {
  switch (place.kind) {
    case "member":
      return <MemberPage member={place.member} first={place.first} />;
    case "tool":
      return <ToolPage member={place.member} tool={place.tool} />;
    case "offer":
      return <OfferPage member={place.member} offer={place.offer} />;
    case "question":
      return <QuestionPage member={place.member} id={place.id} />;
    case "agents":
      return <AgentsPage tab={place.tab} />;
    case "history":
      return <HistoryPage tab={place.tab} />;
    case "discovery":
      return <SettingsFrame place={place}><DiscoveryPage /></SettingsFrame>;
    case "doctor":
      return <SettingsFrame place={place}><DoctorPage /></SettingsFrame>;
    case "secrets":
      return <SettingsFrame place={place}><SecretsPage wanted={place.wanted} /></SettingsFrame>;
    case "settings":
      return <SettingsFrame place={place} />;
    case "help":
      return <HelpPage at={place.at} />;
  }
}

function OpenLayers() {
  const layers = useLayers();
  const tour = useTour();
  const shown = useStore(layers.shown, (all) => all);
  const onTour = useStore(tour.stop, (stop) => stop !== null);
  return (
    <>
      {shown.includes("warnings") && <Warnings />}
      <Suspense>
        {shown.includes("adding") && <AddDialog />}
        {shown.includes("palette") && <Palette />}
        {shown.includes("keys") && <KeySheet />}
        {shown.includes("bundle") && <BugReportDialog />}
        {shown.includes("about") && <AboutDialog />}
        {onTour && <TourCallout />}
      </Suspense>
    </>
  );
}
