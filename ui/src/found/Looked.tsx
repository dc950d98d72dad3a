/** Scanned locations: the files of each program, and folders that the user added. */
import { useId, useRef, useState, type SubmitEvent } from "react";

import { useHouse } from "../app/house";
import type { FoundFile, FoundServers } from "../bridge/bindings";
import { Button } from "../parts/Button";
import { Sign } from "../parts/Icon";
import { Trouble } from "../parts/Trouble";
import { useDeed } from "../parts/useDeed";
import { exact } from "../parts/exact";
import { counted, number, plural } from "../words/format";
import { fileFace, scopeWords } from "./faces";

export function Looked({ known: { files, folders }, open }: { known: FoundServers; open: boolean }) {
  const there = files.filter(({ exists }) => exists).length;
  const programs = [...new Set(files.map(({ title }) => title))];
  return (
    <section aria-labelledby="found-looked" className="flex flex-col gap-2">
      <h2 id="found-looked" className="font-semibold">Searched locations</h2>
      <Folders folders={folders} />
      <details open={open} data-testid="found-files">
        <summary data-testid="found-files-count" className="cursor-default text-dim">
          {counted(files.length, { one: "file", other: "files" })} of {counted(programs.length, { one: "program", other: "programs" })}; {there === 0 ? "none" : number(there)} of them {plural(there, { one: "is", other: "are" })} there
        </summary>
        <dl className="mt-1 flex flex-col gap-1">
          {programs.map((title) => (
            <div key={title}>
              <dt className="font-medium">{title}</dt>
              {files.filter((file) => file.title === title).map((file) => <File key={`${file.path} ${file.scope} ${file.folder ?? ""}`} file={file} />)}
            </div>
          ))}
        </dl>
      </details>
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

function Folders({ folders }: { folders: readonly string[] }) {
  const { found, pickPath, spoken } = useHouse();
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const [path, setPath] = useState("");
  const deed = useDeed();
  const busy = deed.busy ? "In progress" : undefined;
  const look = async (folder: string) => {
    const done = await deed.go(() => found.lookIn(folder));
    if (!done) return;
    spoken.set(`Added ${folder}`);
    setPath("");
  };
  const forget = async (folder: string) => {
    const done = await deed.go(() => found.forget(folder));
    if (!done) return;
    spoken.set(`Removed ${folder}`);
    field.current?.focus();
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (path.trim() !== "") void look(path.trim());
  };
  const pick = (kind: "file" | "folder") =>
    void pickPath?.({ kind }).then((picked) => {
      if (picked !== null) void look(picked);
    });
  return (
    <>
      <form onSubmit={submit} aria-label="Add a folder" className="flex flex-wrap items-end gap-2">
        <label htmlFor={id} className="flex max-w-md min-w-0 flex-[1_1_240px] flex-col gap-1">
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
            className="h-6 w-full rounded-sm border border-line-strong bg-bg px-2 font-mono text-sm placeholder:text-faint"
          />
        </label>
        <Button type="submit" unavailable={busy ?? (path.trim() === "" ? "Enter a folder" : undefined)} onClick={() => undefined}>Add folder</Button>
        {pickPath && <Button unavailable={busy} onClick={() => pick("folder")}>Choose a folder…</Button>}
        {pickPath && <Button unavailable={busy} onClick={() => pick("file")}>Choose a file…</Button>}
      </form>
      {deed.problem && <Trouble report={deed.problem} />}
      {folders.length > 0 && (
        <ul aria-label="Added folders" className="flex flex-col gap-1">
          {folders.map((folder) => (
            <li key={folder} className="flex flex-wrap items-center gap-2">
              <code className="min-w-0 font-mono text-sm wrap-anywhere select-text">{exact(folder)}</code>
              <Button look="quiet" aria-label={`Remove ${folder}`} unavailable={busy} onClick={() => void forget(folder)}><Sign of="close" /></Button>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
