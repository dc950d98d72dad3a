/** Servers that MCP registries list: where from, which of them, and what each would run. */
import { useEffect, useLayoutEffect, useRef } from "react";

import { useHouse } from "../../app/house";
import { useStore } from "../../hall/store";
import { isFocusNowhere } from "../../parts/focus";
import { Reading } from "../../parts/Reading";
import { Trouble } from "../../parts/Trouble";
import { ServerDetail } from "./ServerDetail";
import { ServerList } from "./ServerList";
import { AddSource, SourceBar } from "./SourceBar";

export default function RegistryTab() {
  const { registry } = useHouse();
  const sources = useStore(registry.sources, (now) => now);
  const trouble = useStore(registry.trouble, (now) => now);
  const chosen = useStore(registry.chosen, (now) => now);
  useEffect(() => registry.watch(), [registry]);
  // The first source and the last take what they were named or removed with along when they come or go.
  const page = useRef<HTMLDivElement>(null);
  const isEmpty = sources === null ? null : sources.length === 0;
  const wasEmpty = useRef(isEmpty);
  useLayoutEffect(() => {
    const before = wasEmpty.current;
    wasEmpty.current = isEmpty;
    if (before === null || before === isEmpty || !isFocusNowhere()) return;
    // Whoever names another one already goes on with that.
    const wanted = registry.naming.get() === null ? "select, input" : "form input";
    page.current?.querySelector<HTMLElement>(wanted)?.focus();
  }, [isEmpty, registry]);
  const source = sources?.find((known) => known.source === chosen);
  return (
    <div ref={page} className="@container flex min-h-0 flex-1 flex-col gap-3 p-4" data-testid="registry">
      {trouble && <Trouble report={trouble} />}
      {sources === null && !trouble && <Reading what="the sources" className="" />}
      {sources?.length === 0 && (
        <div className="flex max-w-4xl flex-col gap-3" data-testid="registry-empty">
          <p className="text-dim">
            A registry lists MCP servers in the format of the official one: at an address, or in a file. None is named yet. Nothing is fetched from an address before you name it, and nothing that it lists runs before you have reviewed it.
          </p>
          <AddSource />
        </div>
      )}
      {sources && source && (
        <>
          <SourceBar sources={sources} source={source} />
          <div className="flex min-h-64 flex-1 flex-col gap-3 @3xl:flex-row">
            <ServerList source={source} />
            <ServerDetail source={source} />
          </div>
        </>
      )}
    </div>
  );
}
