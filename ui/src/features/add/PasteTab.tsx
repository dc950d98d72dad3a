/**
 * The Paste tab: a field for a config, a command or a URL, which can also be read from a file, and a preview of
 * the servers found in that text.
 */
import { useEffect, useId, useRef } from "react";

import type { BroughtServers, FoundServer } from "../../ipc/bindings";
import { useDesktop } from "../../lib/desktop";
import { useHall } from "../../lib/hall/hall";
import { useNavigation } from "../../lib/navigation/navigation";
import { useSpoken } from "../../lib/spoken";
import { ImportFoot } from "./found/ImportFoot";
import { ImportSourceContext } from "./found/importSource";
import { wrongNames } from "./found/selection";
import { Outcome } from "./found/Outcome";
import { ServerRow } from "./found/ServerRow";
import { useStore } from "../../lib/store";
import { Button } from "../../components/Button";
import { exact } from "../../lib/exact";
import { Sign } from "../../components/Icon";
import { Reading } from "../../components/Reading";
import { ErrorReport } from "../../components/ErrorReport";
import { counted, number } from "../../lib/format";
import { TEXT_MAX, type Brings, useAddingStore } from "./addingStore";
import { useFirstField } from "./frame";

const SAMPLE = `{"mcpServers": {"memory": {"command": "npx", "args": ["-y", "…"]}}}

npx -y @scope/server

claude mcp add name -- uvx server

vscode:mcp/install?…`;

/** The time without typing after which the text is parsed. */
const REST_MS = 300;

const NONE: readonly FoundServer[] = [];

export default function PasteTab() {
  const adding = useAddingStore();
  const spoken = useSpoken();
  const now = useStore(adding.now, (brings) => brings);
  const selection = useStore(adding.selection.state, (state) => state);
  const panel = useRef<HTMLDivElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const summary = now && sumUp(now);
  useEffect(() => {
    if (summary !== null) spoken.set(summary);
  }, [spoken, summary]);
  return (
    <ImportSourceContext value={adding}>
      <div ref={panel} data-found className="flex flex-col gap-3">
        <Bring />
        {now && (
          <section aria-labelledby="adding-brought" className="flex flex-col gap-2">
            <h2 id="adding-brought" ref={heading} tabIndex={-1} className="font-semibold" data-testid="adding-says">{summary}</h2>
            {now.trouble && <ErrorReport report={now.trouble} />}
            {!now.servers && !now.trouble && <Reading what="the servers" className="" />}
            <Outcome selection={selection} returnTo={heading} />
            {now.servers && <Servers servers={now.servers} />}
          </section>
        )}
        <ImportFoot servers={now?.servers?.servers ?? NONE} selection={selection} panel={panel} />
      </div>
    </ImportSourceContext>
  );
}

/** A summary such as `2 servers in /home/me/.mcp.json, 1 new`. */
function sumUp({ brought, servers, trouble }: Brings): string {
  const file = brought.kind === "file" ? ` in ${exact(brought.path)}` : "";
  if (trouble) return `Nothing could be read${file}`;
  if (!servers) return `Reading${file}…`;
  const fresh = servers.servers.filter(({ state }) => state.kind === "new").length;
  return `${counted(servers.servers.length, { one: "server", other: "servers" })}${file}${fresh === servers.servers.length ? "" : fresh === 0 ? ", none new" : `, ${number(fresh)} new`}`;
}

function Bring() {
  const adding = useAddingStore();
  const navigation = useNavigation();
  const { pickPath } = useDesktop();
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useFirstField(field);
  useEffect(() => () => clearTimeout(timer.current), []);
  const readSoon = (text: string, waitMs: number) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      if (text.trim() === "") adding.forget();
      else void adding.bring({ kind: "text", text });
    }, waitMs);
  };
  const pick = () =>
    void pickPath?.({ kind: "file" }).then((path) => {
      if (path !== null) navigation.openAdding(adding.file(path));
    });
  const clear = () => {
    clearTimeout(timer.current);
    adding.forget();
    if (!field.current) return;
    field.current.value = "";
    field.current.focus();
  };
  return (
    <div className="flex flex-col gap-2">
      <label htmlFor={id} className="font-medium">Config, command or URL</label>
      {/* The field is uncontrolled, because the pasted text may be long and may contain secrets. */}
      <textarea
        ref={field}
        id={id}
        rows={8}
        maxLength={TEXT_MAX}
        autoComplete="off"
        spellCheck={false}
        placeholder={SAMPLE}
        defaultValue={adding.text}
        onChange={(event) => {
          const { value } = event.target;
          // Text pasted into an empty field is parsed without waiting for more typing.
          const isPasted = adding.text === "" && value.length > 1;
          adding.type(value);
          readSoon(value, isPasted ? 0 : REST_MS);
        }}
        className="w-full resize-y rounded-sm border border-control bg-bg px-2 py-1.5 font-mono text-sm placeholder:text-faint"
      />
      <div className="flex flex-wrap items-center gap-2">
        <p className="min-w-0 flex-1 basis-40 text-sm text-dim">Nothing runs until you add it. Secrets go to your keychain.</p>
        <Button look="quiet" onClick={clear}>Clear</Button>
        {pickPath && <Button onClick={pick}>Choose a file…</Button>}
      </div>
    </div>
  );
}

function Servers({ servers: { servers, members, leftOut } }: { servers: BroughtServers }) {
  const adding = useAddingStore();
  const hall = useHall();
  const { chosen, missing, busy } = useStore(adding.selection.state, (state) => state);
  const known = useStore(hall.state, (state) => state.members);
  const wrong = wrongNames(chosen, known);
  const all = [...servers, ...members];
  return (
    <>
      {leftOut.map((left) => (
        <p data-testid="paste-left-out" key={left} className="text-sm wrap-anywhere text-dim"><Sign of="warning" className="me-1" />{exact(left)}</p>
      ))}
      <ul aria-label="Servers in the text" className="rounded-md border border-line empty:hidden">
        {servers.map((server) => (
          <ServerRow
            key={server.id}
            server={server}
            all={all}
            choice={chosen.get(server.id) ?? null}
            wrong={wrong.get(server.id) ?? null}
            missing={missing}
            busy={busy}
            startsOpen
          />
        ))}
      </ul>
    </>
  );
}
