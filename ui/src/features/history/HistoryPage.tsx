/** The History page with two tabs: past calls in a table with filters, and saved calls. */
import { Tabs } from "radix-ui";
import { useEffect, useRef, type ReactNode } from "react";

import { isFocusNowhere } from "../../lib/focus";
import { PageHeader } from "../../components/PageHeader";
import { number } from "../../lib/format";
import { useNavigation } from "../../lib/navigation/navigation";
import type { HistoryTab } from "../../lib/navigation/places";
import { CallsTab } from "./CallsTab";
import { SavedTab } from "./SavedTab";
import { useHistoryState } from "./useHistoryState";
import { useSaved } from "./useSaved";

export default function HistoryPage({ tab }: { tab: HistoryTab }) {
  const navigation = useNavigation();
  const known = useHistoryState();
  const saved = useSaved(null, null);
  const page = useRef<HTMLElement>(null);
  // The first list that is read takes the focus, once per visit of the page.
  const takesFocusRef = useRef(true);
  useEffect(() => {
    const frame = requestAnimationFrame(() => {
      if (isFocusNowhere()) page.current?.querySelector<HTMLElement>('[role="tab"][data-state="active"]')?.focus();
    });
    return () => cancelAnimationFrame(frame);
  }, [tab]);
  const panel = "flex min-h-0 flex-1 flex-col data-[state=inactive]:hidden";
  return (
    <article ref={page} data-testid="history" aria-labelledby="history-title" className="flex min-h-0 flex-1 flex-col short:max-wide:overflow-y-auto">
      <PageHeader id="history-title" title="History" />
      <Tabs.Root value={tab} onValueChange={(next) => navigation.openHistory(next as HistoryTab)} className="flex min-h-80 flex-1 flex-col scant:min-h-0 scant:flex-none">
        <Tabs.List aria-label="History" className="flex shrink-0 gap-5 border-b border-line px-5">
          <Tab value="calls" count={known.state?.calls}>Calls</Tab>
          <Tab value="saved" count={saved?.calls.length}>Saved</Tab>
        </Tabs.List>
        <Tabs.Content value="calls" tabIndex={-1} className={panel}>
          <CallsTab known={known} takesFocusRef={takesFocusRef} />
        </Tabs.Content>
        <Tabs.Content value="saved" tabIndex={-1} className={panel}>
          <SavedTab takesFocusRef={takesFocusRef} />
        </Tabs.Content>
      </Tabs.Root>
    </article>
  );
}

function Tab({ value, count = 0, children }: { readonly value: HistoryTab; readonly count: number | undefined; readonly children: ReactNode }) {
  return (
    <Tabs.Trigger
      value={value}
      className="-mb-px flex items-center gap-1.5 border-b-2 border-transparent py-2 font-medium text-dim hover:text-text data-[state=active]:border-accent data-[state=active]:text-text"
    >
      {children}
      {count > 0 && " "}
      {count > 0 && <span className="font-normal text-dim tabular-nums">{number(count)}</span>}
    </Tabs.Trigger>
  );
}
