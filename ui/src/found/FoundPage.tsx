/** Servers in other programs' configuration files: the command of each, and the selection to import. */
import { useEffect, useId, useMemo, useRef, useState } from "react";

import { AddingLead } from "../adding/AddingLead";
import { useHouse } from "../app/house";
import type { FoundServer, FoundState } from "../bridge/bindings";
import { useStore } from "../hall/store";
import { Reading } from "../parts/Reading";
import { Trouble } from "../parts/Trouble";
import { counted, number } from "../words/format";
import { AdoptBar } from "./AdoptBar";
import { wrongNames, type AdoptionState } from "./adoption";
import { Looked } from "./Looked";
import { Outcome } from "./Outcome";
import { ServerRow } from "./ServerRow";
import { Unread } from "./Unread";
import { searched, SECTIONS, sumUp } from "./faces";

const SECTION_WORDS: Record<FoundState["kind"], string> = {
  new: "New",
  unusable: "Can't be imported",
  adopted: "Already in your roster",
  gateway: "Guild Hall's own entries",
};

export default function FoundPage() {
  const { found, spoken } = useHouse();
  const known = useStore(found.known, (now) => now);
  const trouble = useStore(found.trouble, (now) => now);
  const adoption = useStore(found.adoption.state, (now) => now);
  const [sought, setSought] = useState("");
  const page = useRef<HTMLElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => found.watch(), [found]);
  const sum = known && sumUp(known);
  useEffect(() => {
    if (sum !== null) spoken.set(sum);
  }, [spoken, sum]);
  const servers = known?.servers;
  const shown = useMemo(() => filtered(servers ?? [], sought, adoption.chosen), [servers, sought, adoption.chosen]);
  return (
    // Where the window is low, the bar goes along with the list instead of taking its room.
    <article ref={page} data-found aria-labelledby="found-title" className="flex min-h-0 flex-1 flex-col [@media(max-height:420px)]:overflow-y-auto">
      <div className="flex min-h-0 flex-1 flex-col gap-3 overflow-y-auto p-4 [@media(max-height:420px)]:flex-none [@media(max-height:420px)]:overflow-visible">
        <header className="flex flex-wrap items-baseline gap-x-3">
          <h1 id="found-title" ref={heading} tabIndex={-1} className="text-lg font-semibold outline-none">Import servers</h1>
          <p className="min-w-0 flex-1 basis-40 text-dim" data-testid="found-says">{sum}</p>
          <AddingLead />
        </header>
        <p className="max-w-4xl text-dim">
          Other programs on this machine have these servers in their files. Nothing of them is started until you adopt it; then it is a member like any other, and starts. The files stay unchanged.
        </p>
        {trouble && <Trouble report={trouble} />}
        {!known && !trouble && <Reading what="the files of other programs" className="" />}
        <Outcome adoption={adoption} returnTo={heading} />
        {known && <Unread files={known.files} />}
        {known && known.servers.length > 0 && <Filter sought={sought} onSought={setSought} shown={shown.length} all={known.servers.length} />}
        {known && SECTIONS.map((kind) => (
          <Section
            key={kind}
            title={SECTION_WORDS[kind]}
            servers={shown.filter(({ state }) => state.kind === kind)}
            all={known.servers}
            adoption={adoption}
          />
        ))}
        {known?.servers.length === 0 && (
          <p data-testid="found-nothing">
            No program has a server in any of the places below. A server that is added there shows up here by itself; a project's folder can be named below.
          </p>
        )}
        {known && <Looked known={known} open={known.servers.length === 0} />}
      </div>
      {known && <AdoptBar servers={known.servers} shown={shown} adoption={adoption} page={page} />}
    </article>
  );
}

/**
 * The servers with all the words. Selected ones stay visible, so that users never import a server that they
 * don't see.
 */
function filtered(servers: readonly FoundServer[], sought: string, chosen: AdoptionState["chosen"]): readonly FoundServer[] {
  const wanted = sought.toLowerCase().split(/\s+/).filter(Boolean);
  if (wanted.length === 0) return servers;
  return servers.filter((server) => {
    if (chosen.has(server.id)) return true;
    const text = searched(server);
    return wanted.every((word) => text.includes(word));
  });
}

function Filter({ sought, onSought, shown, all }: { sought: string; onSought: (words: string) => void; shown: number; all: number }) {
  return (
    <div role="search" aria-label="Import servers" className="flex flex-wrap items-center gap-2">
      <input
        type="search"
        aria-label="Filter by name, command, app or file"
        placeholder="Name, command, app or file…"
        autoComplete="off"
        spellCheck={false}
        maxLength={200}
        value={sought}
        onChange={(event) => onSought(event.target.value)}
        className="h-6 min-w-32 flex-[0_1_300px] rounded-sm border border-line-strong bg-bg px-2 placeholder:text-faint"
      />
      <span role="status" className="text-sm text-dim">
        {sought.trim() !== "" && (shown === 0 ? "No matches" : `${number(shown)} of ${counted(all, { one: "server", other: "servers" })}`)}
      </span>
    </div>
  );
}

interface SectionProps {
  readonly title: string;
  readonly servers: readonly FoundServer[];
  readonly all: readonly FoundServer[];
  readonly adoption: AdoptionState;
}

function Section({ title, servers, all, adoption: { chosen, missing, busy } }: SectionProps) {
  const id = useId();
  const { hall } = useHouse();
  const members = useStore(hall.state, (state) => state.members);
  const wrong = useMemo(() => wrongNames(chosen, members), [chosen, members]);
  if (servers.length === 0) return null;
  return (
    <section aria-labelledby={id} className="flex flex-col gap-1">
      <h2 id={id} className="font-semibold">
        {title} <span className="font-normal text-dim">{number(servers.length)}</span>
      </h2>
      <ul className="flex flex-col gap-1">
        {servers.map((server) => (
          <ServerRow
            key={server.id}
            server={server}
            all={all}
            choice={chosen.get(server.id) ?? null}
            wrong={wrong.get(server.id) ?? null}
            missing={missing}
            busy={busy}
          />
        ))}
      </ul>
    </section>
  );
}
