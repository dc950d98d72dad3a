/** Servers that are brought in by hand: pasted, in a file, or from elsewhere. Nothing of them runs before a yes. */
import { Tabs } from "radix-ui";
import { Suspense } from "react";

import { useHouse } from "../app/house";
import { FoundLead } from "../found/FoundMark";
import { Meanwhile } from "./Meanwhile";
import { ADDING_WAYS, type AddingTab } from "./tabs";

export default function AddingPage({ tab }: { tab: AddingTab }) {
  const house = useHouse();
  return (
    <article aria-labelledby="adding-title" className="flex min-h-0 flex-1 flex-col overflow-y-auto">
      <header className="flex shrink-0 flex-wrap items-center gap-x-3 gap-y-1 px-4 pt-3">
        <h1 id="adding-title" className="min-w-0 flex-1 basis-40 text-lg font-semibold">Add member</h1>
        <span className="text-dim">In other apps:</span>
        <FoundLead first={false} />
      </header>
      <Meanwhile />
      <Tabs.Root
        value={tab}
        onValueChange={(next) => house.openAdding(ADDING_WAYS.find(({ id }) => id === next)?.id)}
        className="flex min-h-80 flex-1 flex-col scant:min-h-0 scant:flex-none"
      >
        <Tabs.List aria-label="Ways to add a member" className="flex shrink-0 flex-wrap gap-1 border-b border-line px-3 pt-1">
          {ADDING_WAYS.map(({ id, title }) => (
            <Tabs.Trigger
              key={id}
              value={id}
              className="-mb-px border-b-2 border-transparent px-2 py-1 text-dim hover:text-text data-[state=active]:border-accent data-[state=active]:text-text"
            >
              {title}
            </Tabs.Trigger>
          ))}
        </Tabs.List>
        {ADDING_WAYS.map(({ id, Component }) => (
          <Tabs.Content key={id} value={id} className="flex min-h-0 flex-1 flex-col overflow-y-auto outline-offset-[-2px]">
            <Suspense fallback={<div aria-busy className="flex-1" />}>
              <Component />
            </Suspense>
          </Tabs.Content>
        ))}
      </Tabs.Root>
    </article>
  );
}
