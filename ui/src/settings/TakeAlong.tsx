/** Everything that is set as one file: written, and brought in after it was seen what that changes. */
import { useId, useRef, useState } from "react";

import { useHouse } from "../app/house";
import type { ImportChange, SettingsImport } from "../bridge/bindings";
import { asRefusal } from "../bridge/bridge";
import { Button } from "../parts/Button";
import { Trouble } from "../parts/Trouble";
import { type Deed, useDeed } from "../parts/useDeed";
import { number } from "../words/format";

const IMPORTING = "What the import would change";

const PART = {
  settings: "Settings",
  gateway: "Gateway, profiles and policies",
  discovery: "Discovery of tools",
  history: "The history's settings",
};

const SUGGESTED = "guild-hall-settings.json";

export function TakeAlong() {
  const { hall, pickPath, settings, spoken } = useHouse();
  const id = useId();
  const deed = useDeed();
  const title = useRef<HTMLHeadingElement>(null);
  const [path, setPath] = useState("");
  const [said, setSaid] = useState("");
  const [seen, setSeen] = useState<SettingsImport | null>(null);

  const say = (text: string) => {
    setSaid(text);
    spoken.set(text);
  };
  /** What is asked of the hall; why not, where it was not done. */
  const ask = (how: Deed["go"], work: () => Promise<void>) =>
    how(async () => {
      setSaid("");
      try {
        await work();
        return null;
      } catch (reason) {
        return asRefusal(reason).report;
      }
    });
  const chosen = async (kind: "file" | "new-file") => (pickPath ? await pickPath({ kind, suggestedName: SUGGESTED }) : path.trim());
  const exportTo = () =>
    ask(deed.go, async () => {
      const wanted = await chosen("new-file");
      if (wanted === null || wanted === "") return;
      const written = await hall.ask("export_settings", { path: wanted });
      say(`Exported to ${written.path}.`);
    });
  const look = () =>
    ask(deed.look, async () => {
      const wanted = await chosen("file");
      if (wanted === null || wanted === "") return;
      // What another file would change is not what this one does.
      setSeen(null);
      setSeen(await hall.ask("preview_settings_import", { path: wanted }));
    });
  const bringIn = (shown: SettingsImport) =>
    ask(deed.go, async () => {
      await hall.ask("import_settings", { path: shown.path, hash: shown.hash });
      setSeen(null);
      await settings.read();
      say("Imported.");
      title.current?.focus();
    });
  return (
    <>
      <h3 ref={title} tabIndex={-1} className="mt-3 font-medium">Take settings along</h3>
      <p className="text-sm text-dim">One file with the settings, the gateway's profiles and policies, discovery and the history's settings. No token, no secret and no call is in it.</p>
      {!pickPath && (
        <p className="flex flex-col gap-1">
          <label htmlFor={id}>Path of the file</label>
          <input id={id} dir="ltr" className="h-7 rounded-sm border border-line-strong bg-bg px-2" autoComplete="off" spellCheck={false} maxLength={4_000} value={path} onChange={(event) => setPath(event.target.value)} />
        </p>
      )}
      <p className="flex flex-wrap items-center gap-2 pt-1">
        <Button onClick={() => void exportTo()}>Export…</Button>
        <Button onClick={() => void look()}>Import…</Button>
        <span className="min-w-0 text-sm break-all text-dim empty:hidden">{said}</span>
      </p>
      {deed.problem && <Trouble report={deed.problem} />}
      {seen && (
        <section aria-label={IMPORTING} data-testid="settings-import" className="mt-2 flex flex-col gap-2 rounded-md border border-line-strong p-3">
          <h4 className="font-medium">{IMPORTING}</h4>
          {seen.changes.length === 0 ? (
            <p role="status">Nothing would change.</p>
          ) : (
            <>
              <ul className="flex flex-col">
                {seen.changes.map((change) => (
                  <Change key={`${change.part} ${change.key} ${change.after ?? ""}`} change={change} />
                ))}
                {seen.more > 0 && <li className="text-dim">and {number(seen.more)} more</li>}
              </ul>
              <p className="text-sm text-dim">All of it is written, or nothing.</p>
            </>
          )}
          <p className="flex flex-wrap gap-2">
            {seen.changes.length > 0 && <Button look="accent" onClick={() => void bringIn(seen)}>Import all of it</Button>}
            <Button
              onClick={() => {
                setSeen(null);
                title.current?.focus();
              }}
            >
              Leave it
            </Button>
          </p>
        </section>
      )}
    </>
  );
}

function Change({ change: { part, key, before, after } }: { change: ImportChange }) {
  return (
    <li className="flex flex-wrap gap-x-2 border-b border-line py-1 select-text last:border-0">
      <span className="text-dim">{PART[part]}</span>
      <code dir="ltr" className="min-w-0 flex-1 font-mono text-sm break-all">
        {key}: {before ?? "nothing"} → {after ?? "nothing"}
      </code>
    </li>
  );
}
