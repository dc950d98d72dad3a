/** The window: top bar, roster beside the page, status bar, and the layers above them. */
import { lazy, Suspense } from "react";

import { useStore } from "../hall/store";
import { Roster } from "../roster/Roster";
import { Announcer } from "./Announcer";
import { HouseContext, useHouse, type House } from "./house";
import { useKeys } from "./keys";
import { Notices } from "./Notices";
import { StatusBar } from "./StatusBar";
import { TopBar } from "./TopBar";
import { PageBoundary } from "./PageBoundary";
import { importMemberPage, importToolPage } from "./pages";
import { usePainted } from "./usePainted";
import { Warnings } from "./Warnings";
import { Welcome } from "./Welcome";

const MemberPage = lazy(importMemberPage);
const ToolPage = lazy(importToolPage);
const Palette = lazy(() => import("../palette/Palette"));

export function App({ house }: { house: House }) {
  useKeys(house);
  usePainted(house);
  return (
    <HouseContext value={house}>
      <div className="flex h-full flex-col">
        <TopBar />
        <Floor />
        <StatusBar />
      </div>
      <Layers />
      <Notices />
      <Announcer />
    </HouseContext>
  );
}

function Floor() {
  const house = useHouse();
  const hidden = useStore(house.rosterHidden, (is) => is);
  const drawer = useStore(house.layer, (layer) => layer === "drawer");
  return (
    <div className="relative flex min-h-0 flex-1">
      <div
        className={`w-[clamp(272px,24vw,400px)] shrink-0 border-r border-line max-narrow:absolute max-narrow:inset-y-0 max-narrow:left-0 max-narrow:z-20 max-narrow:w-[min(340px,92vw)] max-narrow:shadow-(--shadow) ${
          drawer ? "" : "max-narrow:hidden"
        } ${hidden ? "narrow:hidden" : ""}`}
      >
        <Roster />
      </div>
      {drawer && (
        <button
          type="button"
          aria-label="Close the roster"
          className="absolute inset-0 z-10 bg-black/40 narrow:hidden"
          onClick={() => house.layer.set("none")}
        />
      )}
      <main data-region className="flex min-w-0 flex-1 flex-col">
        <Page />
      </main>
    </div>
  );
}

function Page() {
  const house = useHouse();
  const place = useStore(house.place, (now) => now);
  const known = useStore(
    house.hall.state,
    (state) => place.kind === "welcome" || !state.opened || state.byName.has(place.member),
  );
  if (place.kind === "welcome") return <Welcome />;
  if (!known) return <Gone member={place.member} />;
  const shown = place.kind === "member" ? place.member : `${place.member}/${place.tool}`;
  return (
    <PageBoundary key={shown}>
      <Suspense fallback={<div aria-busy className="flex-1" />}>
        {place.kind === "member" ? (
          <MemberPage member={place.member} log={place.log} />
        ) : (
          <ToolPage member={place.member} tool={place.tool} />
        )}
      </Suspense>
    </PageBoundary>
  );
}

function Gone({ member }: { member: string }) {
  return (
    <p className="p-6 break-words text-dim">
      {member} is no longer in the members&apos; folder. Choose another member in the roster.
    </p>
  );
}

function Layers() {
  const layer = useStore(useHouse().layer, (open) => open);
  if (layer === "warnings") return <Warnings />;
  if (layer !== "palette") return null;
  return (
    <Suspense>
      <Palette />
    </Suspense>
  );
}
