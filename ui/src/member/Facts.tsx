import type { ReactNode } from "react";

import type { FoundBy, MemberDetail, MemberView } from "../bridge/bindings";
import { CopyButton } from "../parts/CopyButton";
import { OpenButton } from "../parts/OpenButton";
import { useNow } from "../parts/useNow";
import { number } from "../words/format";
import { isConfirmed } from "../words/found";
import { ago, wholeDuration } from "../words/time";

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="contents">
      <dt className="text-dim">{name}</dt>
      <dd className="min-w-0 break-words select-text">{children}</dd>
    </div>
  );
}

interface Props {
  view: MemberView;
  detail: MemberDetail | null;
  /** How its tools were found, where not by the protocol. */
  found: FoundBy | null;
}

/** How many tools its list has, how far that can be trusted, and since when. */
function listWords({ freshness, tools, listedAtMs }: MemberView, found: FoundBy | null, now: number): string {
  if (freshness === "unknown") return "no list is known";
  const list = `${number(tools)}, ${freshness}`;
  if (listedAtMs === null) return list;
  return `${list}, ${isConfirmed(found) ? "said by the server" : "found"} ${ago(listedAtMs, now)}`;
}

/** What there is to know of how a member runs. */
export function Facts({ view, detail, found }: Props) {
  const running = view.status === "ready";
  const now = useNow(1_000);
  const command = detail?.command ?? null;
  return (
    <dl className="grid grid-cols-[max-content_minmax(0,1fr)] gap-x-4 gap-y-1">
      {command !== null && (
        <Fact name="Command">
          <span className="flex items-start gap-1">
            <code className="max-h-24 min-w-0 flex-1 overflow-y-auto font-mono text-sm leading-5 break-all" data-testid="member-command">
              {command}
            </code>
            <CopyButton what="the command" text={() => command} />
          </span>
        </Fact>
      )}
      {detail?.url != null && <Fact name="Address"><code dir="ltr" className="font-mono text-sm">{detail.url}</code></Fact>}
      <Fact name="Process">
        {[
          view.pid === null ? "none" : `pid ${view.pid}`,
          view.port !== null && `port ${view.port}`,
          running && `up ${wholeDuration(now - view.sinceMs)}`,
          view.transport === "http" ? "HTTP" : "stdio",
          view.lifecycle === "on-demand" ? "started on demand" : "started with the roster",
        ].filter(Boolean).join(" · ")}
      </Fact>
      <Fact name="Protocol">{view.protocolVersion ?? "not agreed upon yet"}</Fact>
      <Fact name="Tools">{listWords(view, found, now)}</Fact>
      {detail && (
        <>
          {detail.envNames.length > 0 && (
            <Fact name="Environment">
              <code className="font-mono text-sm">{detail.envNames.join(" ")}</code>
            </Fact>
          )}
          <Fact name="Folder">
            <span className="flex flex-wrap items-center gap-1">
              <code dir="ltr" className="font-mono text-sm break-all">{detail.folder}</code>
              <OpenButton what={{ kind: "folder", member: view.name }} label="Open folder" />
              <OpenButton what={{ kind: "terminal", member: view.name }} label="Open in terminal" />
            </span>
          </Fact>
        </>
      )}
    </dl>
  );
}
