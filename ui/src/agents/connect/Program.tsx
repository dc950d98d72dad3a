/** One app: its config file, its state, and the change that connects it. */
import { useId, useRef, useState } from "react";

import { useHouse } from "../../app/house";
import type { ClientConfig, Endpoint } from "../../bridge/bindings";
import { Badge } from "../../parts/Badge";
import { Button } from "../../parts/Button";
import { CopyButton } from "../../parts/CopyButton";
import { Trouble } from "../../parts/Trouble";
import { Preview } from "./Preview";
import { useConfigChange } from "./useConfigChange";
import { WhatWasDone } from "./WhatWasDone";

interface Props {
  readonly program: ClientConfig;
  readonly endpoint: Endpoint;
  /** Called when a file was written. */
  readonly onChanged: () => void;
}

export function Program({ program, endpoint, onChanged }: Props) {
  const { spoken } = useHouse();
  const { client, title, path, exists, connected, canUndo, snippet, then, direct } = program;
  const id = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  const [open, setOpen] = useState(false);
  const change = useConfigChange({ client, path: null, endpoint, handOver: false }, (done) => {
    spoken.set(done.what === "written" ? `${title} is connected` : done.file.asBefore ? `${title}'s config was restored` : "Entries restored. Later changes to the file are kept.");
    onChanged();
    heading.current?.focus();
  });
  const { preview, done, busy, problem } = change;
  return (
    <li className="rounded-md border border-line" data-testid={`program-${client}`}>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-3">
        <div className="min-w-0 flex-1 basis-64">
          <h3 ref={heading} tabIndex={-1} className="flex flex-wrap items-baseline gap-x-2 font-semibold outline-none">
            {title}
            <span data-testid="program-file" className="text-sm font-normal">
              {connected ? <Badge tone="ok" icon="check">Connected</Badge> : <span className="text-dim">{exists ? "Not connected" : "No config file"}</span>}
            </span>
          </h3>
          <p className="font-mono text-sm break-all text-dim select-text">{path}</p>
        </div>
        <Button aria-expanded={open} aria-controls={id} onClick={() => setOpen(!open)}>Show config</Button>
        {canUndo && <Button unavailable={busy} onClick={change.undo}>Undo</Button>}
        <Button unavailable={busy} onClick={change.look}>
          {connected ? "Reconnect…" : "Connect…"}
        </Button>
      </div>
      {open && (
        <div id={id} className="border-t border-line px-3 py-2">
          <Entry text={snippet} says="Config entry" label={`Config entry for ${title}`} copied={`the config entry for ${title}`} />
          {direct !== null && direct.text !== "" && (
            <Entry text={direct.text} says="Or connect this member directly, without Guild Hall" label={`Direct config entry for ${title}`} copied={`the direct config entry for ${title}`} />
          )}
          {direct?.note != null && <p className="text-sm break-words text-dim">{direct.note}</p>}
        </div>
      )}
      {problem && <Trouble report={problem} className="mx-3 mb-2" />}
      {preview && <Preview preview={preview} title={title} busy={busy} onWrite={change.write} onAllTools={change.chooseTools} onClose={change.close} />}
      {done && <WhatWasDone done={done} then={then} busy={busy} onRevoke={change.revoke} />}
    </li>
  );
}

/** Text to be copied into a file. */
function Entry({ text, says, label, copied }: { text: string; says: string; label: string; copied: string }) {
  return (
    <>
      <div className="flex items-center gap-2 text-sm text-dim">
        <span className="min-w-0 flex-1">{says}</span>
        <CopyButton what={copied} text={() => text} />
      </div>
      {/* A region that scrolls has to be reached by the keyboard. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <pre tabIndex={0} aria-label={label} className="max-h-60 overflow-auto rounded-sm border border-line bg-surface p-2 font-mono text-sm select-text">
        {text}
      </pre>
    </>
  );
}
