/** Moves servers of other apps to Guild Hall: removes an app's own entries and connects the app to the gateway. */
import { useEffect, useRef, useState } from "react";

import type { FoundFile, FoundServer, FoundServers, HandingOver, MemberView } from "../../../ipc/bindings";
import { useHall } from "../../../lib/hall/hall";
import { useSpoken } from "../../../lib/spoken";
import { scopeWords } from "../../add/found/faces";
import { useStore } from "../../../lib/store";
import { Badge } from "../../../components/Badge";
import { Button } from "../../../components/Button";
import { exact } from "../../../lib/exact";
import { ErrorReport } from "../../../components/ErrorReport";
import { counted, listed } from "../../../lib/format";
import { useFoundStore } from "../../add/found/foundStore";
import { ALL_MEMBERS } from "../agents";
import { Outcome } from "./Outcome";
import { Preview } from "./Preview";
import { useConfigChange } from "./useConfigChange";

interface Movable {
  readonly file: FoundFile;
  readonly handing: HandingOver;
  /** Whether servers were moved out of the file, and can be restored. */
  readonly canMoveBack: boolean;
}

/** The config files with servers that are also members, and the config files whose servers were moved. */
function movableOf({ files, servers }: FoundServers, members: readonly MemberView[], moved: ReadonlyMap<string, boolean>): readonly Movable[] {
  return files.flatMap((file) => {
    const { handing, path } = file;
    if (handing === null) return [];
    const canMoveBack = handing.canUndo && (moved.get(path) ?? (file.folder !== null || hasLeft(path, servers, members)));
    return handing.adopted.length > 0 || canMoveBack || moved.has(path) ? [{ file, handing, canMoveBack }] : [];
  });
}

/**
 * Whether servers of a user's config file were moved to Guild Hall: a member was imported from the file, and the file
 * no longer has its server. A change of the file by Guild Hall does not show this, because Guild Hall also changes the
 * file to connect the app.
 */
function hasLeft(path: string, servers: readonly FoundServer[], members: readonly MemberView[]): boolean {
  const here = servers.flatMap(({ places, state }) =>
    places.flatMap((place) => (place.path === path ? [place.name, state.kind === "adopted" ? state.member : place.name] : [])),
  );
  return members.some(({ name, trust }) => trust.origin?.path === path && !here.includes(name));
}

interface Props {
  /** Called after a config file was written. */
  readonly onChanged: () => void;
}

export function MoveServers({ onChanged }: Props) {
  const found = useFoundStore();
  const known = useStore(found.known, (now) => now);
  useEffect(() => found.watch(), [found]);
  const members = useStore(useHall().state, (state) => state.members);
  /** The files that were changed on this page, and whether their servers were moved or restored last. */
  const [moved, setMoved] = useState<ReadonlyMap<string, boolean>>(new Map());
  const movable = known ? movableOf(known, members, moved) : [];
  if (movable.length === 0) return null;
  return (
    <section aria-labelledby="move-servers" data-testid="move-servers" className="flex flex-col gap-2">
      <h2 id="move-servers" className="font-semibold">Move servers</h2>
      <p className="text-dim">These apps still run servers that are members here. Move them, and the app uses Guild Hall instead.</p>
      <ul className="flex flex-col gap-2">
        {movable.map((one) => (
          <MovableFile key={`${one.file.program} ${one.file.path}`} {...one} onChanged={onChanged} onMoved={(is) => setMoved((before) => new Map(before).set(one.file.path, is))} />
        ))}
      </ul>
    </section>
  );
}

function MovableFile({ file, handing: { adopted, connected, then }, canMoveBack, onChanged, onMoved }: Movable & Props & { readonly onMoved: (is: boolean) => void }) {
  const found = useFoundStore();
  const spoken = useSpoken();
  const heading = useRef<HTMLHeadingElement>(null);
  const { program, path, folder, title } = file;
  const app = folder === null ? title : `${title} in ${folder}`;
  const change = useConfigChange({ client: program, path, endpoint: ALL_MEMBERS, handOver: true }, (done) => {
    spoken.set(done.what === "written" ? `${app} uses Guild Hall` : `${app} has its servers again`);
    onMoved(done.what === "written");
    void found.read();
    onChanged();
    heading.current?.focus();
  });
  const { preview, done, busy, problem } = change;
  const servers = counted(adopted.length, { one: "server", other: "servers" });
  return (
    <li data-path={path} className="rounded-md border border-line bg-raised">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2 px-4 py-3">
        <div className="min-w-0 flex-1 basis-64">
          <h3 ref={heading} tabIndex={-1} className="flex flex-wrap items-center gap-x-2 font-semibold outline-none">
            {title}
            <span data-testid="move-state" className="font-normal wrap-anywhere">
              {adopted.length > 0 ? `${servers}: ${listed(adopted.map(exact))}` : connected ? <Badge tone="ok" icon="check">Uses Guild Hall</Badge> : "Servers moved"}
            </span>
          </h3>
          <p className="text-sm wrap-anywhere text-dim select-text"><code className="font-mono">{exact(path)}</code>, {scopeWords(file)}</p>
        </div>
        <div className="flex flex-wrap gap-2">
          {canMoveBack && <Button aria-label={`Move servers back to ${app}`} unavailable={busy} onClick={change.undo}>Move back</Button>}
          {adopted.length > 0 && <Button aria-label={`Move ${servers} from ${app} to Guild Hall`} unavailable={busy} onClick={change.look}>Move {servers}…</Button>}
        </div>
      </div>
      {problem && <ErrorReport report={problem} className="mx-4 mb-3" />}
      {preview && <Preview preview={preview} title={app} busy={busy} onWrite={change.write} onAllTools={change.chooseTools} onClose={change.close} />}
      {done && <Outcome done={done} then={then} />}
    </li>
  );
}
