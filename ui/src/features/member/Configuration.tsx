/** The Configuration tab: facts about a member, its server's description of itself, and an editor for plugin.json. */
import { lazy, Suspense, type ReactNode } from "react";

import type { FoundBy, MemberDetail, MemberView, ServerInfo } from "../../ipc/bindings";
import { CopyButton } from "../../components/CopyButton";
import { Reading } from "../../components/Reading";
import { useNow } from "../../lib/useNow";
import { number } from "../../lib/format";
import { isConfirmed } from "../../lib/words/found";
import { TRANSPORT_NAMES } from "../../lib/words/transport";
import { ago, wholeDuration } from "../../lib/time";

const ConfigurationEditor = lazy(() => import("./edit/ConfigurationEditor").then((module) => ({ default: module.ConfigurationEditor })));

interface Props {
  readonly view: MemberView;
  readonly detail: MemberDetail | null;
  /** The method by which the tools were found; `null` if the server listed them by the protocol. */
  readonly found: FoundBy | null;
}

export function Configuration({ view, detail, found }: Props) {
  const now = useNow(1_000);
  const running = view.status === "ready";
  const facts: FactProps[] = [
    { name: "Command", text: detail?.command, testId: "member-command", isCode: true },
    { name: "URL", text: detail?.url, isCode: true },
    { name: "Transport", text: view.transport && TRANSPORT_NAMES[view.transport] },
    { name: "Process", text: [view.pid === null ? "Not running" : `pid ${view.pid}`, view.port !== null && `port ${view.port}`, running && `up ${wholeDuration(now - view.sinceMs)}`].filter(Boolean).join(" · ") },
    { name: "Start", text: view.lifecycle === "on-demand" ? "Starts on demand" : "Starts automatically" },
    { name: "Protocol", text: view.protocolVersion ?? "Not connected yet" },
    { name: "Tools", text: listWords(view, found, now) },
    { name: "Folder", text: detail?.folder, isCode: true },
    { name: "Environment", text: detail?.envNames.join(" "), isCode: true },
  ];
  return (
    <div className="@container flex min-h-0 flex-1 flex-col gap-6 overflow-y-auto px-5 pt-4 short:overflow-visible">
      {!detail && <Reading what="the configuration" className="" />}
      <dl className="grid grid-cols-1 gap-x-8 gap-y-3 @min-2xl:grid-cols-2">
        {facts.map((fact) => <Fact key={fact.name} {...fact} />)}
      </dl>
      <Server server={detail?.server ?? null} />
      <Section title="plugin.json">
        <Suspense fallback={<Reading what="plugin.json" className="" />}>
          <ConfigurationEditor member={view} />
        </Suspense>
      </Section>
    </div>
  );
}

interface FactProps {
  readonly name: string;
  readonly text: string | null | undefined;
  readonly testId?: string;
  /** Whether the text is shown in the code font, with a copy button. */
  readonly isCode?: boolean;
}

function Fact({ name, text, testId, isCode = false }: FactProps) {
  if (text === null || text === undefined || text === "") return null;
  return (
    <div className="min-w-0">
      <dt className="text-sm text-dim">{name}</dt>
      <dd className="flex items-start gap-1">
        {isCode ? (
          <>
            <code dir="ltr" data-testid={testId} className="max-h-24 min-w-0 overflow-y-auto py-1 font-mono text-sm leading-5 wrap-anywhere select-text">{text}</code>
            <CopyButton icon what={`the ${name === "URL" ? name : name.toLowerCase()}`} text={() => text} />
          </>
        ) : (
          <span className="min-w-0 py-1 break-words select-text">{text}</span>
        )}
      </dd>
    </div>
  );
}

/** The number of tools, the freshness of the tool list and its age, such as `3, cached, updated 2 minutes ago`. */
function listWords({ freshness, tools, listedAtMs }: MemberView, found: FoundBy | null, now: number): string {
  if (freshness === "unknown") return "Not loaded yet";
  const list = `${number(tools)}, ${freshness}`;
  if (listedAtMs === null) return list;
  return `${list}, ${isConfirmed(found) ? "updated" : "found"} ${ago(listedAtMs, now)}`;
}

/** The server's description of itself. It is untrusted, so it is rendered as plain text only. */
function Server({ server }: { server: ServerInfo | null }) {
  if (!server) return <p className="text-dim">Server details appear when it's ready.</p>;
  return (
    <Section title="Server">
      <p className="break-words select-text">
        <bdi>{server.name}</bdi> <bdi>{server.version}</bdi> · protocol {server.protocolVersion} · {server.era === "modern" ? "no handshake" : "handshake"}
      </p>
      {server.instructions !== null && (
        <details>
          <summary className="text-dim">Server instructions</summary>
          <p className="max-h-60 overflow-y-auto break-words whitespace-pre-wrap select-text">{server.instructions}</p>
        </details>
      )}
      <details>
        <summary className="text-dim">Capabilities</summary>
        <pre dir="ltr" className="overflow-x-auto rounded-md bg-sidebar p-2 font-mono text-sm select-text">{JSON.stringify(server.capabilities, null, 2)}</pre>
      </details>
    </Section>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="flex flex-col gap-2">
      <h2 className="font-semibold">{title}</h2>
      {children}
    </section>
  );
}
