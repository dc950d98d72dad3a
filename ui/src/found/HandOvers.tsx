/** Programs whose files have servers that are members now: each can use Guild Hall instead, and have them back. */
import { useRef } from "react";

import { useConfigChange } from "../agents/connect/useConfigChange";
import { Preview } from "../agents/connect/Preview";
import { WhatWasDone } from "../agents/connect/WhatWasDone";
import { useHouse } from "../app/house";
import type { Endpoint, FoundFile, HandingOver } from "../bridge/bindings";
import { useStore } from "../hall/store";
import { Button } from "../parts/Button";
import { Sign } from "../parts/Icon";
import { Trouble } from "../parts/Trouble";
import { exact } from "../parts/exact";
import { scopeWords } from "./faces";
import { counted, plural } from "../words/format";

const ALL_MEMBERS: Endpoint = { kind: "all" };

interface Handed {
  readonly file: FoundFile;
  readonly handing: HandingOver;
}

/** The files of which something can be handed over, or was. */
function handedOf(files: readonly FoundFile[]): readonly Handed[] {
  return files.flatMap((file) => {
    const { handing } = file;
    return handing !== null && (handing.adopted.length > 0 || handing.canUndo) ? [{ file, handing }] : [];
  });
}

export function HandOvers({ files }: { files: readonly FoundFile[] }) {
  const { agents } = useHouse();
  const closed = useStore(agents.gateway, (gateway) => gateway !== null && gateway.address === null);
  const handed = handedOf(files);
  if (handed.length === 0) return null;
  return (
    <section aria-labelledby="found-hand-over" data-testid="found-hand-over" className="flex flex-col gap-1">
      <h2 id="found-hand-over" className="font-semibold">Apps that can use Guild Hall instead</h2>
      {closed && (
        <p className="rounded-sm bg-warn-fill px-2 py-1">
          <Sign of="warning" className="text-warn me-1" />
          The gateway does not listen now: a program that uses Guild Hall reaches no server until it does.
        </p>
      )}
      <ul className="flex flex-col gap-1">
        {handed.map(({ file, handing }) => <HandOver key={`${file.program} ${file.path}`} file={file} handing={handing} />)}
      </ul>
    </section>
  );
}

function HandOver({ file, handing: { adopted, connected, canUndo, then } }: Handed) {
  const { found, spoken } = useHouse();
  const name = useRef<HTMLHeadingElement>(null);
  const { program, path, folder, title } = file;
  const called = folder === null ? title : `${title} in ${folder}`;
  const change = useConfigChange({ client: program, path, endpoint: ALL_MEMBERS, handOver: true }, (done) => {
    spoken.set(done.what === "written" ? `${called} uses Guild Hall` : done.file.asBefore ? `The file of ${called} is as it was.` : `${called} has its entries again. Changes made to the file since are kept.`);
    void found.read();
    name.current?.focus();
  });
  const { preview, done, busy, problem } = change;
  const uses = connected && adopted.length === 0;
  return (
    <li data-path={path} className="rounded-md border border-line">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2">
        <div className="min-w-0 flex-1 basis-64">
          <h3 ref={name} tabIndex={-1} className="flex flex-wrap items-baseline gap-x-2 font-semibold outline-none">
            {title}
            <span data-testid="hand-over-state" className="font-normal wrap-anywhere">
              <Sign of={uses ? "dot" : "ring"} className={`me-1 ${uses ? "text-ok" : "text-accent"}`} />
              {adopted.length > 0 ? `has ${counted(adopted.length, { one: "server", other: "servers" })} that ${plural(adopted.length, { one: "is a member", other: "are members" })}: ${adopted.map(exact).join(", ")}` : uses ? "uses Guild Hall" : "was handed over"}
            </span>
          </h3>
          <p className="text-sm wrap-anywhere text-dim select-text">
            <code className="font-mono">{exact(path)}</code>, {scopeWords(file)}
          </p>
        </div>
        {canUndo && (
          <Button className="h-auto min-h-6 max-w-full wrap-anywhere whitespace-normal" unavailable={busy} onClick={change.undo}>
            Give {called} its file back
          </Button>
        )}
        {adopted.length > 0 && (
          <Button look="accent" className="h-auto min-h-6 max-w-full wrap-anywhere whitespace-normal" unavailable={busy} onClick={change.look}>
            Let {called} use Guild Hall instead…
          </Button>
        )}
      </div>
      {problem && <Trouble report={problem} className="mx-3 mb-2" />}
      {preview && <Preview preview={preview} title={called} busy={busy} onWrite={change.write} onAllTools={change.chooseTools} onClose={change.close} />}
      {done && <WhatWasDone done={done} then={then} busy={busy} onRevoke={change.revoke} />}
    </li>
  );
}
