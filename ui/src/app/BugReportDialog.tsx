/** The dialog that lists the contents of the diagnostics file and saves the file. */
import { Dialog } from "radix-ui";
import { useEffect, useState } from "react";

import type { Bundled, Report } from "../ipc/bindings";
import { asRefusal } from "../ipc/bridge";
import { Button } from "../components/Button";
import { Sign } from "../components/Icon";
import { Reading } from "../components/Reading";
import { ErrorReport } from "../components/ErrorReport";
import { useDesktop } from "../lib/desktop";
import { counted, number } from "../lib/format";
import { intoSight } from "../lib/focus";
import { useHall } from "../lib/hall/hall";
import { useLayers } from "../lib/layers";

export default function BugReportDialog() {
  const hall = useHall();
  const layers = useLayers();
  const { pickPath } = useDesktop();
  const [bundled, setBundled] = useState<Bundled | null>(null);
  const [wrong, setWrong] = useState<Report | null>(null);
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    let wanted = true;
    hall.ask("preview_bundle", {}).then(
      (preview) => wanted && setBundled(preview),
      (reason: unknown) => wanted && setWrong(asRefusal(reason).report),
    );
    return () => {
      wanted = false;
    };
  }, [hall]);

  const write = async () => {
    if (!bundled || !pickPath) return;
    setBusy(true);
    setWrong(null);
    try {
      const path = await pickPath({ kind: "new-file", suggestedName: bundled.suggestedName });
      if (path !== null) setBundled(await hall.ask("write_bundle", { path }));
    } catch (reason) {
      setWrong(asRefusal(reason).report);
    } finally {
      setBusy(false);
    }
  };
  const unavailable = !pickPath
    ? "No file dialog here"
    : busy
      ? "Saving…"
      : bundled
        ? undefined
        : wrong
          ? "Guild Hall can't collect it"
          : "Collecting…";
  return (
    <Dialog.Root open onOpenChange={(open) => !open && layers.close("bundle")}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-40 bg-black/40" />
        <Dialog.Content
          data-testid="bundle"
          onFocus={intoSight}
          className="fixed top-[10vh] scant:top-0 left-1/2 z-50 flex max-h-[80vh] scant:max-h-screen w-[min(680px,calc(100vw-24px))] -translate-x-1/2 flex-col gap-3 overflow-y-auto rounded-md border border-control bg-raised p-4 shadow-(--shadow)"
        >
          <Dialog.Title className="text-lg font-semibold">Diagnostics</Dialog.Title>
          <Dialog.Description className="text-dim">One file for a bug report. Secrets and values that look like secrets are masked. Review it before you send it.</Dialog.Description>
          {bundled ? <Contents bundled={bundled} /> : !wrong && <Reading what="the contents" className="" />}
          <p role="status" className="shrink-0 break-words select-text empty:hidden">
            {bundled?.path && `Saved to ${bundled.path}`}
          </p>
          {wrong && <ErrorReport report={wrong} />}
          <div className="flex shrink-0 flex-wrap justify-end gap-2">
            <Dialog.Close asChild>
              <Button>Close</Button>
            </Dialog.Close>
            <Button look="accent" unavailable={unavailable} onClick={() => void write()}>
              {busy ? "Saving…" : "Save…"}
            </Button>
          </div>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function Contents({ bundled }: { bundled: Bundled }) {
  return (
    <div
      role="region"
      aria-label="Contents"
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- focusable, so that the keyboard can scroll it
      tabIndex={0}
      className="min-h-24 overflow-y-auto rounded-sm border border-line bg-sidebar p-2 text-sm select-text"
    >
      {bundled.leftOut.map((what) => (
        <p key={what} className="mb-1 break-words text-warn"><Sign of="warning" className="me-1" />Not included: {what}</p>
      ))}
      <table className="w-full text-start">
        <thead className="text-dim">
          <tr>
            <th scope="col" className="pe-3 font-normal">File</th>
            <th scope="col" className="pe-3 font-normal">Contents</th>
            <th scope="col" className="pe-3 text-end font-normal">Bytes</th>
            <th scope="col" className="text-end font-normal">Masked</th>
          </tr>
        </thead>
        <tbody>
          {bundled.files.map((file) => (
            <tr key={file.name} className="border-t border-line align-top [&>td]:py-0.5">
              <td className="min-w-[14ch] pe-3 font-mono wrap-anywhere">{file.name}</td>
              <td className="pe-3 break-words">{file.what}</td>
              <td className="pe-3 text-end whitespace-nowrap">{number(file.bytes)}</td>
              <td className="text-end whitespace-nowrap">{file.masked > 0 ? counted(file.masked, { one: "place", other: "places" }) : ""}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
