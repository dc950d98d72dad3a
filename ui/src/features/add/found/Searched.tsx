/** The list of files that were searched for servers, and of project folders that the user added to the search. */
import { Fragment, useId, useRef, useState, type SubmitEvent } from "react";

import type { FoundFile, FoundServers } from "../../../ipc/bindings";
import { Button } from "../../../components/Button";
import { Sign } from "../../../components/Icon";
import { IconButton } from "../../../components/IconButton";
import { ErrorReport } from "../../../components/ErrorReport";
import { useDesktop } from "../../../lib/desktop";
import { useSpoken } from "../../../lib/spoken";
import { useOperation } from "../../../lib/useOperation";
import { exact } from "../../../lib/exact";
import { counted, number } from "../../../lib/format";
import { fileFace, scopeWords } from "./faces";
import { useFoundStore } from "./foundStore";

export function Searched({ known: { files, folders }, startsOpen }: { known: FoundServers; startsOpen: boolean }) {
  const found = useFoundStore();
  const spoken = useSpoken();
  const { pickPath } = useDesktop();
  const [isOpen, setOpen] = useState(startsOpen);
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const [path, setPath] = useState("");
  const operation = useOperation();
  const busy = operation.busy ? "In progress" : undefined;
  const there = files.filter(({ exists }) => exists).length;
  const apps = [...new Set(files.map(({ title }) => title))];
  const look = async (folder: string) => {
    if (!(await operation.go(() => found.lookIn(folder)))) return;
    spoken.set(`Added ${folder}`);
    setPath("");
  };
  const forget = async (folder: string) => {
    if (!(await operation.go(() => found.forget(folder)))) return;
    spoken.set(`Removed ${folder}`);
    field.current?.focus();
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (path.trim() !== "") void look(path.trim());
  };
  const pick = (kind: "file" | "folder") =>
    void pickPath?.({ kind }).then((picked) => {
      if (picked === null) return;
      setOpen(true);
      void look(picked);
    });
  return (
    <section aria-label="Searched locations" className="mt-auto flex flex-col gap-2">
      <div className="flex flex-wrap items-center gap-2">
        <Button look="quiet" className="-ms-2.5 me-auto" aria-expanded={isOpen} aria-controls={`${id}-all`} onClick={() => setOpen(!isOpen)}>
          Searched locations <Sign of={isOpen ? "chevronDown" : "chevronRight"} />
        </Button>
        {pickPath && <Button unavailable={busy} onClick={() => pick("folder")}><Sign of="folderOpen" /> Add folder…</Button>}
      </div>
      {operation.problem && <ErrorReport report={operation.problem} />}
      {isOpen && (
        <div id={`${id}-all`} className="flex flex-col gap-3">
          <form onSubmit={submit} aria-label="Add a folder" className="flex flex-wrap items-end gap-2">
            <label htmlFor={id} className="flex min-w-0 flex-[1_1_240px] flex-col gap-1">
              <span>A project's folder, or a <code className="font-mono text-sm">.code-workspace</code> file</span>
              <input
                ref={field}
                id={id}
                autoComplete="off"
                spellCheck={false}
                maxLength={4_096}
                placeholder="Full path"
                value={path}
                onChange={(event) => setPath(event.target.value)}
                className="h-8 w-full rounded-sm border border-control bg-bg px-2 font-mono text-sm placeholder:text-faint"
              />
            </label>
            <Button type="submit" className="h-8" unavailable={busy ?? (path.trim() === "" ? "Enter a folder" : undefined)} onClick={() => undefined}>Add</Button>
            {pickPath && <Button className="h-8" unavailable={busy} onClick={() => pick("file")}>Choose a file…</Button>}
          </form>
          {folders.length > 0 && (
            <ul aria-label="Added folders" className="flex flex-col gap-1">
              {folders.map((folder) => (
                <li key={folder} className="flex items-center gap-2">
                  <code className="min-w-0 font-mono text-sm wrap-anywhere select-text">{exact(folder)}</code>
                  <IconButton icon="close" label={`Remove ${folder}`} title="Remove" unavailable={busy} onClick={() => void forget(folder)} />
                </li>
              ))}
            </ul>
          )}
          <dl data-testid="found-files" className="flex flex-col gap-1">
            <dt data-testid="found-files-count" className="text-dim">
              {number(there)} of {counted(files.length, { one: "file", other: "files" })} of {counted(apps.length, { one: "app", other: "apps" })} found
            </dt>
            {apps.map((title) => (
              <Fragment key={title}>
                <dt className="font-medium">{title}</dt>
                {files.filter((file) => file.title === title).map((file) => <File key={`${file.path} ${file.scope} ${file.folder ?? ""}`} file={file} />)}
              </Fragment>
            ))}
          </dl>
        </div>
      )}
    </section>
  );
}

function File({ file }: { file: FoundFile }) {
  const { shape, word, colour } = fileFace(file);
  return (
    <dd className="ps-3 text-sm wrap-anywhere text-dim select-text">
      <Sign of={shape} className={`me-1 ${colour}`} />{word}: <code className="font-mono">{exact(file.path)}</code>, {scopeWords(file)}
      {file.exists && `, ${counted(file.servers, { one: "server", other: "servers" })}`}
    </dd>
  );
}
