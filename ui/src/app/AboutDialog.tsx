/** The About dialog: the version, folders and licenses of Guild Hall. */
import { Dialog } from "radix-ui";

import type { Openable } from "../ipc/bridge";
import { useHall } from "../lib/hall/hall";
import { useLayers } from "../lib/layers";
import { useNavigation } from "../lib/navigation/navigation";
import { useStore } from "../lib/store";
import { Button } from "../components/Button";
import { CopyButton } from "../components/CopyButton";
import { OpenButton } from "../components/OpenButton";
import { intoSight } from "../lib/focus";

const THIRD_PARTY = "Third-party licenses";

export default function AboutDialog() {
  const hall = useHall();
  const layers = useLayers();
  const navigation = useNavigation();
  const info = useStore(hall.info, (known) => known);
  return (
    <Dialog.Root open onOpenChange={(open) => !open && layers.close("about")}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-40 bg-black/40" />
        <Dialog.Content
          data-testid="about"
          onFocus={intoSight}
          onCloseAutoFocus={(event) => event.preventDefault()}
          className="fixed top-[10vh] scant:top-0 left-1/2 z-50 flex max-h-[80vh] scant:max-h-screen w-[min(520px,calc(100vw-24px))] -translate-x-1/2 flex-col gap-3 overflow-y-auto rounded-md border border-control bg-raised p-4 shadow-(--shadow)"
        >
          <Dialog.Title className="text-lg font-semibold">About Guild Hall</Dialog.Title>
          <Dialog.Description className="text-dim">Run MCP servers, try their tools, and share them with your AI agents.</Dialog.Description>
          {info === null ? (
            <p data-testid="about-loading" role="status" aria-busy className="text-dim">Loading…</p>
          ) : (
            <dl className="flex flex-col gap-2">
              <div>
                <dt className="text-dim">Version</dt>
                <dd className="select-text">{info.version}</dd>
              </div>
              <Path title="Data folder" path={info.dataDir} openable={{ kind: "data-folder" }} />
              <Path title="Members folder" path={info.membersDir} />
              <Path title="Logs" path={inFolder(info.dataDir, "logs")} />
              <div>
                <dt className="text-dim">License</dt>
                <dd>MIT or Apache-2.0, at your option</dd>
              </div>
              {info.licences === null ? (
                <div>
                  <dt className="text-dim">{THIRD_PARTY}</dt>
                  <dd data-testid="licences-missing">
                    Built from source. Run <code dir="ltr" className="font-mono text-sm">cargo xtask dist</code> to generate the third-party licenses.
                  </dd>
                </div>
              ) : (
                <Path title={THIRD_PARTY} path={info.licences} />
              )}
            </dl>
          )}
          <div className="flex shrink-0 flex-wrap justify-end gap-2">
            <Button look="quiet" onClick={() => navigation.openHelp("user-guide#files")}>User guide</Button>
            <Button
              look="quiet"
              onClick={() => {
                layers.close("about");
                layers.open("bundle");
              }}
            >
              Save diagnostics…
            </Button>
            <Dialog.Close asChild>
              <Button look="accent">Close</Button>
            </Dialog.Close>
          </div>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** Joins a folder and a name with the path separator that the folder uses. */
function inFolder(folder: string, name: string): string {
  const separator = folder.includes("\\") && !folder.includes("/") ? "\\" : "/";
  return `${folder}${separator}${name}`;
}

function Path({ title, path, openable }: { title: string; path: string; openable?: Openable }) {
  return (
    <div>
      <dt className="text-dim">{title}</dt>
      <dd className="flex items-start gap-2">
        <code dir="ltr" className="min-w-0 flex-1 font-mono text-sm wrap-anywhere select-text">{path}</code>
        {openable && <OpenButton what={openable} label="Open" />}
        <CopyButton what={`the path of: ${title}`} text={() => path} />
      </dd>
    </div>
  );
}
