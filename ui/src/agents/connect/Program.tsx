/** One program: its file, whether it is connected, what to write there, and writing it. */
import { useId, useRef, useState } from "react";

import { useHouse } from "../../app/house";
import type { ClientConfig, ClientConfigPreview, Endpoint, WrittenClientConfig } from "../../bridge/bindings";
import { asRefusal } from "../../bridge/bridge";
import { Button } from "../../parts/Button";
import { CopyButton } from "../../parts/CopyButton";
import { Trouble } from "../../parts/Trouble";
import { useDeed } from "../../parts/useDeed";
import { pathOf } from "../words";
import { Preview } from "./Preview";

interface Props {
  readonly program: ClientConfig;
  readonly endpoint: Endpoint;
  /** Called when a file was written. */
  readonly onChanged: () => void;
}

/** What was done to the file last, here. */
interface Done {
  readonly what: "written" | "undone";
  readonly file: WrittenClientConfig;
}

export function Program({ program, endpoint, onChanged }: Props) {
  const { hall, spoken } = useHouse();
  const { client, title, path, exists, connected, canUndo, snippet, then } = program;
  const id = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  const [open, setOpen] = useState(false);
  const [previewed, setPreviewed] = useState<{ of: string; preview: ClientConfigPreview } | null>(null);
  const [done, setDone] = useState<Done | null>(null);
  const deed = useDeed();
  // Another endpoint is another change.
  const preview = previewed?.of === pathOf(endpoint) ? previewed.preview : null;

  const look = () =>
    deed.go(async () => {
      try {
        setPreviewed({ of: pathOf(endpoint), preview: await hall.ask("preview_client_config", { client, endpoint }) });
        setDone(null);
        return null;
      } catch (reason) {
        return asRefusal(reason).report;
      }
    });
  const finish = (what: Done["what"], file: WrittenClientConfig) => {
    setDone({ what, file });
    setPreviewed(null);
    spoken.set(what === "written" ? `${title} is told of the gateway.` : `The file of ${title} is as it was.`);
    onChanged();
    heading.current?.focus();
  };
  const write = (precondition: string) =>
    deed.go(async () => {
      try {
        finish("written", await hall.ask("write_client_config", { client, endpoint, precondition }));
        return null;
      } catch (reason) {
        const { report } = asRefusal(reason);
        // What was shown is no longer what would be changed.
        if (report.code === "client-config-changed") setPreviewed(null);
        return report;
      }
    });
  const undo = () =>
    deed.go(async () => {
      try {
        finish("undone", await hall.ask("undo_client_config", { client }));
        return null;
      } catch (reason) {
        return asRefusal(reason).report;
      }
    });
  const busy = deed.busy ? "It is being done" : undefined;
  return (
    <li className="rounded-md border border-line" data-testid={`program-${client}`}>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2">
        <div className="min-w-0 flex-1 basis-64">
          <h2 ref={heading} tabIndex={-1} className="flex flex-wrap items-baseline gap-x-2 font-semibold outline-none">
            {title}
            <span className="font-normal">
              <span aria-hidden className={connected ? "text-ok" : "text-faint"}>{connected ? "●" : "○"}</span>{" "}
              {connected ? "connected" : exists ? "not connected" : "no file yet"}
            </span>
          </h2>
          <p className="font-mono text-sm break-all text-dim select-text">{path}</p>
        </div>
        <Button aria-expanded={open} aria-controls={id} onClick={() => setOpen(!open)}>What to write</Button>
        {canUndo && <Button unavailable={busy} onClick={() => void undo()}>Undo</Button>}
        <Button look="accent" unavailable={busy} onClick={() => void look()}>
          {connected ? "Write it anew…" : "Write it…"}
        </Button>
      </div>
      {open && (
        <div id={id} className="border-t border-line px-3 py-2">
          <div className="flex items-center gap-2 text-sm text-dim">
            <span className="min-w-0 flex-1">What stands in the file for the gateway</span>
            <CopyButton what={`what to write for ${title}`} text={() => snippet} />
          </div>
          {/* A region that scrolls has to be reached by the keyboard. */}
          {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
          <pre tabIndex={0} aria-label={`What to write for ${title}`} className="max-h-60 overflow-auto rounded-sm border border-line bg-surface p-2 font-mono text-sm select-text">
            {snippet}
          </pre>
        </div>
      )}
      {deed.problem && <Trouble report={deed.problem} className="mx-3 mb-2" />}
      {preview && <Preview preview={preview} title={title} busy={busy} onWrite={() => void write(preview.precondition)} onClose={() => setPreviewed(null)} />}
      {done && (
        <div role="status" className="border-t border-line px-3 py-2">
          <p className="break-words">
            <span aria-hidden className="text-ok">● </span>
            {done.what === "written" ? "Written." : "The file is as it was before."}{" "}
            {done.file.backup !== null && (
              <>
                {done.what === "written" ? "As it was, it is kept at" : "What was undone is kept at"} <code className="font-mono text-sm break-all select-text">{done.file.backup}</code>.
              </>
            )}
          </p>
          {then !== "" && <p className="break-words"><span className="text-dim">What to do now:</span> {then}</p>}
        </div>
      )}
    </li>
  );
}
