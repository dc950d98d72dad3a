/** The card of one app: its config file and state, and buttons that connect or disconnect the app. */
import { useRef, useState } from "react";

import type { ClientConfig, Endpoint } from "../../../ipc/bindings";
import { Badge } from "../../../components/Badge";
import { Button } from "../../../components/Button";
import { CopyButton } from "../../../components/CopyButton";
import { IconButton } from "../../../components/IconButton";
import { Menu } from "../../../components/Menu";
import { ErrorReport } from "../../../components/ErrorReport";
import { useSpoken } from "../../../lib/spoken";
import { Outcome } from "./Outcome";
import { Preview } from "./Preview";
import { useConfigChange } from "./useConfigChange";

interface Props {
  readonly program: ClientConfig;
  readonly endpoint: Endpoint;
  /** Called after the app's config file was written. */
  readonly onChanged: () => void;
}

export function Program({ program, endpoint, onChanged }: Props) {
  const spoken = useSpoken();
  const { client, title, path, exists, connected, canUndo, snippet, then, direct } = program;
  const heading = useRef<HTMLHeadingElement>(null);
  const [open, setOpen] = useState(false);
  const change = useConfigChange({ client, path: null, endpoint, handOver: false }, (done) => {
    spoken.set(done.what === "written" ? `${title} is connected` : `${title} is disconnected`);
    onChanged();
    heading.current?.focus();
  });
  const { preview, done, busy, problem } = change;
  // The config file has an entry that Guild Hall wrote, but its URL is out of date, because the gateway's port has
  // changed.
  const isOutdated = canUndo && !connected;
  return (
    <li className="rounded-md border border-line bg-raised" data-testid={`program-${client}`}>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2 px-4 py-3">
        <span aria-hidden className="flex size-8 shrink-0 items-center justify-center rounded-sm bg-hover font-semibold text-dim">{title[0]}</span>
        <div className="min-w-0 flex-1 basis-56">
          <h3 ref={heading} tabIndex={-1} className="flex flex-wrap items-center gap-x-2 font-semibold outline-none">
            {title}
            <span data-testid="program-file" className="text-sm font-normal">
              {connected ? <Badge tone="ok" icon="check">Connected</Badge> : isOutdated ? <Badge tone="warn" icon="warning">Has an old address</Badge> : <span className="text-dim">{exists ? "Not connected" : "No config file"}</span>}
            </span>
          </h3>
          <p className="font-mono text-sm break-all text-dim select-text">{path}</p>
        </div>
        <div className="flex items-center gap-1">
          {connected ? (
            <Button unavailable={busy ?? (canUndo ? undefined : "Guild Hall didn't add this entry. Remove it from the file.")} onClick={change.undo}>Disconnect</Button>
          ) : (
            <Button unavailable={busy} onClick={change.look}>{isOutdated ? "Reconnect…" : "Connect…"}</Button>
          )}
          <Menu
            items={[
              { label: open ? "Hide config" : "Show config", icon: "braces", onSelect: () => setOpen(!open) },
              ...(connected ? [{ label: "Reconnect…", icon: "refresh" as const, unavailable: busy, onSelect: change.look }] : []),
              ...(isOutdated ? [{ label: "Restore the file from before", icon: "undo" as const, unavailable: busy, onSelect: change.undo }] : []),
            ]}
          >
            <IconButton icon="more" label={`More for ${title}`} />
          </Menu>
        </div>
      </div>
      {open && (
        <div className="flex flex-col gap-2 border-t border-line px-4 py-3">
          <Snippet text={snippet} title="Config entry" label={`Config entry for ${title}`} copied={`the config entry for ${title}`} />
          {direct !== null && direct.text !== "" && (
            <Snippet text={direct.text} title="Or connect this member directly, without Guild Hall" label={`Direct config entry for ${title}`} copied={`the direct config entry for ${title}`} />
          )}
          {direct?.note != null && <p className="text-sm break-words text-dim">{direct.note}</p>}
        </div>
      )}
      {problem && <ErrorReport report={problem} className="mx-4 mb-3" />}
      {preview && <Preview preview={preview} title={title} busy={busy} onWrite={change.write} onAllTools={change.chooseTools} onClose={change.close} />}
      {done && <Outcome done={done} then={then} />}
    </li>
  );
}

/** Text for a config file, with a button that copies the text. */
export function Snippet({ text, title, label, copied }: { text: string; title: string; label: string; copied: string }) {
  return (
    <div>
      <div className="flex items-center gap-2 text-sm text-dim">
        <span className="min-w-0 flex-1">{title}</span>
        <CopyButton icon what={copied} text={() => text} />
      </div>
      {/* The Tab stop lets keyboard users scroll the text. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <pre tabIndex={0} aria-label={label} className="max-h-60 overflow-auto rounded-sm border border-line bg-sidebar p-2 font-mono text-sm select-text">
        {text}
      </pre>
    </div>
  );
}
