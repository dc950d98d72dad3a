/**
 * A server configuration from its website, pasted or read from a file; shows the command and asks for
 * confirmation.
 */
import { useEffect, useId, useRef, type SubmitEvent } from "react";

import { useHouse } from "../app/house";
import type { Brought, BroughtServers } from "../bridge/bindings";
import { AdoptBar } from "../found/AdoptBar";
import { AdoptingContext } from "../found/adopting";
import { wrongNames } from "../found/adoption";
import { Outcome } from "../found/Outcome";
import { ServerRow } from "../found/ServerRow";
import { Sign } from "../parts/Icon";
import { exact } from "../parts/exact";
import { useStore } from "../hall/store";
import { Button } from "../parts/Button";
import { Reading } from "../parts/Reading";
import { Trouble } from "../parts/Trouble";
import { counted, number } from "../words/format";
import { TEXT_MAX, type Brings } from "./addingBook";

const SAMPLE = `{"mcpServers": {"memory": {"command": "npx", "args": ["-y", "…"]}}}

npx -y @scope/server

claude mcp add name -- uvx server

vscode:mcp/install?…`;

export default function PasteTab() {
  const { adding, spoken } = useHouse();
  const now = useStore(adding.now, (brings) => brings);
  const adoption = useStore(adding.adoption.state, (state) => state);
  const page = useRef<HTMLDivElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const said = now && sumUp(now);
  useEffect(() => {
    if (said !== null) spoken.set(said);
  }, [spoken, said]);
  return (
    <AdoptingContext value={adding}>
      <div ref={page} data-found className="flex min-h-0 flex-1 flex-col [@media(max-height:420px)]:overflow-y-auto">
        <div className="flex min-h-0 flex-1 flex-col gap-3 overflow-y-auto p-4 [@media(max-height:420px)]:flex-none [@media(max-height:420px)]:overflow-visible">
          <p className="max-w-4xl text-dim">
            Paste a config, a command or a URL from a server's page, or drop a file on the window. Nothing runs until you add it.
          </p>
          <Bring />
          <section aria-labelledby="adding-brought" className="flex flex-col gap-2">
            <h2 id="adding-brought" ref={heading} tabIndex={-1} className="font-semibold outline-none" data-testid="adding-says">
              {said ?? "Nothing pasted yet"}
            </h2>
            {now?.trouble && <Trouble report={now.trouble} />}
            {now && !now.servers && !now.trouble && <Reading what="what was brought" className="" />}
            <Outcome adoption={adoption} returnTo={heading} />
            {now?.servers && <Servers servers={now.servers} />}
          </section>
        </div>
        {now?.servers && <AdoptBar servers={now.servers.servers} shown={now.servers.servers} adoption={adoption} page={page} />}
      </div>
    </AdoptingContext>
  );
}

/** What was brought, in a few words. */
function sumUp({ brought, servers, trouble }: Brings): string {
  const path = brought.kind === "file" ? exact(brought.path) : null;
  if (trouble) return `Nothing could be read${path === null ? "" : ` in ${path}`}.`;
  if (!servers) return `Reading${path === null ? "" : ` in ${path}`}…`;
  const fresh = servers.servers.filter(({ state }) => state.kind === "new").length;
  return `${counted(servers.servers.length, { one: "server", other: "servers" })}${path === null ? "" : ` in ${path}`}${fresh === servers.servers.length ? "" : fresh === 0 ? ", none new" : `, ${number(fresh)} new`}.`;
}

function Bring() {
  const house = useHouse();
  const { adding, pickPath } = house;
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const bring = (brought: Brought) => void adding.bring(brought);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const text = field.current?.value ?? "";
    if (text.trim() === "") field.current?.focus();
    else bring({ kind: "text", text });
  };
  const pick = () =>
    void pickPath?.({ kind: "file" }).then((path) => {
      if (path !== null) house.openAdding(adding.file(path));
    });
  const clear = () => {
    adding.forget();
    if (!field.current) return;
    field.current.value = "";
    field.current.focus();
  };
  return (
    <form onSubmit={submit} aria-label="Paste" className="flex max-w-4xl flex-col gap-2">
      <label htmlFor={id}>Config, command or URL</label>
      {/* Uncontrolled: the pasted text may be long and contain secrets. */}
      <textarea
        ref={field}
        id={id}
        rows={8}
        maxLength={TEXT_MAX}
        autoComplete="off"
        spellCheck={false}
        placeholder={SAMPLE}
        defaultValue={adding.text}
        onChange={(event) => adding.type(event.target.value)}
        onPaste={(event) => {
          // Into an empty field, all that is there to be done is to read it.
          if (event.currentTarget.value !== "") return;
          const text = event.clipboardData.getData("text/plain");
          if (text.trim() !== "") bring({ kind: "text", text });
        }}
        onKeyDown={(event) => {
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) event.currentTarget.form?.requestSubmit();
        }}
        className="w-full resize-y rounded-sm border border-line-strong bg-bg px-2 py-1 font-mono text-sm placeholder:text-faint"
      />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" look="accent" onClick={() => undefined}>Preview</Button>
        {pickPath && <Button onClick={pick}>Choose a file…</Button>}
        <Button look="quiet" onClick={clear}>Clear</Button>
      </div>
    </form>
  );
}

function Servers({ servers: { servers, members, leftOut } }: { servers: BroughtServers }) {
  const { adding, hall } = useHouse();
  const { chosen, missing, busy } = useStore(adding.adoption.state, (state) => state);
  const known = useStore(hall.state, (state) => state.members);
  const wrong = wrongNames(chosen, known);
  const all = [...servers, ...members];
  return (
    <>
      {leftOut.map((left) => (
        <p data-testid="paste-left-out" key={left} className="text-sm wrap-anywhere text-dim"><Sign of="warning" className="me-1" />{exact(left)}</p>
      ))}
      <ul aria-label="Servers in the text" className="flex flex-col gap-1">
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
    </>
  );
}
