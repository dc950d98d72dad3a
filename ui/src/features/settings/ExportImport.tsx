/** Exports the settings to a file, and imports such a file after the user has seen the changes it would make. */
import { useId, useRef, useState } from "react";

import type { ImportChange, SettingsImport } from "../../ipc/bindings";
import { errorOf } from "../../lib/errorOf";
import { Button } from "../../components/Button";
import { ErrorReport } from "../../components/ErrorReport";
import { useDesktop } from "../../lib/desktop";
import { useHall } from "../../lib/hall/hall";
import { useSpoken } from "../../lib/spoken";
import { type Operation, useOperation } from "../../lib/useOperation";
import { useSettingsStore } from "./settingsStore";

const IMPORTING = "Changes";

const SUGGESTED = "guild-hall-settings.json";

export function ExportImport() {
  const hall = useHall();
  const settings = useSettingsStore();
  const spoken = useSpoken();
  const { pickPath } = useDesktop();
  const id = useId();
  const operation = useOperation();
  const title = useRef<HTMLHeadingElement>(null);
  const [path, setPath] = useState("");
  const [outcome, setOutcome] = useState("");
  const [seen, setSeen] = useState<SettingsImport | null>(null);

  const say = (text: string) => {
    setOutcome(text);
    spoken.set(text);
  };
  /** Clears the last message, then runs a request. Resolves to the error if the request fails. */
  const ask = (how: Operation["go"], work: () => Promise<void>) =>
    how(() => {
      setOutcome("");
      return errorOf(work);
    });
  const chosen = async (kind: "file" | "new-file") => (pickPath ? await pickPath({ kind, suggestedName: SUGGESTED }) : path.trim());
  const exportTo = () =>
    ask(operation.go, async () => {
      const wanted = await chosen("new-file");
      if (wanted === null || wanted === "") return;
      const written = await hall.ask("export_settings", { path: wanted });
      say(`Exported to ${written.path}.`);
    });
  const look = () =>
    ask(operation.look, async () => {
      const wanted = await chosen("file");
      if (wanted === null || wanted === "") return;
      // Clear the preview of the previous file, so that the user can't import it under this file's name.
      setSeen(null);
      setSeen(await hall.ask("preview_settings_import", { path: wanted }));
    });
  const bringIn = (shown: SettingsImport) =>
    ask(operation.go, async () => {
      await hall.ask("import_settings", { path: shown.path, hash: shown.hash });
      setSeen(null);
      await settings.read();
      say("Imported.");
      title.current?.focus();
    });
  return (
    <>
      <h3 ref={title} tabIndex={-1} className="mt-3 font-medium">Export and import</h3>
      <p className="text-sm text-dim">Import replaces settings.json and keeps the old one as settings.backup.json.</p>
      {!pickPath && (
        <p className="flex flex-col gap-1">
          <label htmlFor={id}>File path</label>
          <input id={id} dir="ltr" className="h-7 rounded-sm border border-control bg-bg px-2" autoComplete="off" spellCheck={false} maxLength={4_000} value={path} onChange={(event) => setPath(event.target.value)} />
        </p>
      )}
      <p className="flex flex-wrap items-center gap-2 pt-1">
        <Button onClick={() => void exportTo()}>Export…</Button>
        <Button onClick={() => void look()}>Import…</Button>
        <span className="min-w-0 text-sm break-all text-dim empty:hidden">{outcome}</span>
      </p>
      {operation.problem && <ErrorReport report={operation.problem} />}
      {seen && (
        <section aria-label={IMPORTING} data-testid="settings-import" className="mt-2 flex flex-col gap-2 rounded-md border border-control p-3">
          <h4 className="font-medium">{IMPORTING}</h4>
          {seen.problems.map(({ report }) => (
            <ErrorReport key={report.message} report={report} />
          ))}
          {seen.changes.length === 0 && <p role="status">No changes</p>}
          <ul className="flex flex-col empty:hidden">
            {seen.changes.map((change) => (
              <Change key={change.key} change={change} />
            ))}
          </ul>
          <p className="flex flex-wrap gap-2">
            {canImport(seen) && <Button look="accent" onClick={() => void bringIn(seen)}>Import settings</Button>}
            <Button
              onClick={() => {
                setSeen(null);
                title.current?.focus();
              }}
            >
              Cancel
            </Button>
          </p>
        </section>
      )}
    </>
  );
}

function canImport({ changes, problems }: SettingsImport): boolean {
  return changes.length > 0 && problems.every(({ effect }) => effect === "kept");
}

function Change({ change: { key, before, after } }: { change: ImportChange }) {
  return (
    <li className="border-b border-line py-1 select-text last:border-0">
      <code dir="ltr" className="min-w-0 font-mono text-sm break-all">{`${key}: ${before ?? "nothing"} → ${after ?? "nothing"}`}</code>
    </li>
  );
}
