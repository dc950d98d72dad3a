/** The dock at the bottom of the window: past calls and saved calls. */
import { Tabs } from "radix-ui";
import { lazy, Suspense, type ReactNode } from "react";

import { useStore } from "../hall/store";
import { Divider } from "../parts/Divider";
import { IconButton } from "../parts/IconButton";
import { keyed } from "../words/format";
import type { DockTab } from "./dock";
import { useHouse } from "./house";
import { importHistory, importSavedCalls } from "./pages";
import { PageBoundary } from "./PageBoundary";
import { useKeysOf } from "./useKeysOf";

const HistoryPanel = lazy(importHistory);
const SavedPanel = lazy(importSavedCalls);

/** Its height, in percent of the window's. */
const HEIGHT = { least: 20, most: 80, first: 40, large: 88 };
const STEP = 2;

export function Dock() {
  const house = useHouse();
  const { dock } = house;
  const shown = useStore(dock.shown, (is) => is);
  const large = useStore(dock.large, (is) => is);
  const tab = useStore(dock.tab, (now) => now);
  const size = house.size("dock-height", HEIGHT.least, HEIGHT.most);
  const chosen = useStore(size, (now) => now);
  const keys = useKeysOf("dock");
  if (!shown) return null;
  const height = large ? HEIGHT.large : (chosen ?? HEIGHT.first);
  return (
    <Tabs.Root
      value={tab}
      onValueChange={(next) => dock.tab.set(next as DockTab)}
      id="dock"
      role="region"
      aria-label="Dock"
      data-region
      className="flex shrink-0 flex-col max-wide:has-[[data-beside]]:min-h-[70%] scant:min-h-full!"
      style={{ height: `${height}%` }}
    >
      <Divider
        axis="y"
        label="Height of the dock"
        controls="dock"
        value={height}
        least={HEIGHT.least}
        most={large ? HEIGHT.large : HEIGHT.most}
        step={STEP}
        perPixel={() => 100 / Math.max(1, window.innerHeight)}
        onValue={(value) => {
          dock.large.set(false);
          size.set(value);
        }}
      />
      <div className="flex shrink-0 items-center gap-1 border-b border-line bg-surface px-2">
        <Tabs.List aria-label="Dock" className="flex flex-1 gap-1">
          <Tab value="history">History</Tab>
          <Tab value="saved">Saved calls</Tab>
        </Tabs.List>
        <IconButton
          icon={large ? "minimize" : "maximize"}
          label={large ? "Make the dock smaller" : "Make the dock larger"}
          aria-pressed={large}
          onClick={() => dock.large.update((is) => !is)}
        />
        <IconButton icon="close" label="Close the dock" title={keyed("Close", keys)} onClick={() => dock.close()} />
      </div>
      <PageBoundary key={tab}>
        <Suspense fallback={<div aria-busy className="flex-1" />}>
          <Tabs.Content value="history" tabIndex={-1} className="flex min-h-0 flex-1 flex-col short:max-wide:overflow-y-auto data-[state=inactive]:hidden">
            <HistoryPanel />
          </Tabs.Content>
          <Tabs.Content value="saved" tabIndex={-1} className="flex min-h-0 flex-1 flex-col short:max-wide:overflow-y-auto data-[state=inactive]:hidden">
            <SavedPanel />
          </Tabs.Content>
        </Suspense>
      </PageBoundary>
    </Tabs.Root>
  );
}

function Tab({ value, children }: { value: DockTab; children: ReactNode }) {
  return (
    <Tabs.Trigger
      value={value}
      className="-mb-px border-b-2 border-transparent px-2 py-1 text-dim hover:text-text data-[state=active]:border-accent data-[state=active]:text-text"
    >
      {children}
    </Tabs.Trigger>
  );
}
