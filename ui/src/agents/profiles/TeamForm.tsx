/** A profile as files that run its members for a team: asked for, looked at, copied, written. */
import { useEffect, useId, useRef, useState, type SubmitEvent } from "react";

import { useHouse } from "../../app/house";
import type { ExportTeam, ProfileName, TeamExport, TeamTarget } from "../../bridge/bindings";
import { asRefusal } from "../../bridge/bridge";
import { Button } from "../../parts/Button";
import { CopyButton } from "../../parts/CopyButton";
import { Said } from "../../parts/Said";
import { Trouble } from "../../parts/Trouble";
import { type Deed, useDeed } from "../../parts/useDeed";
import { words } from "../../words/team";
import { SELECT } from "../EndpointPicker";

const FIELD = "h-6 w-full max-w-md rounded-sm border border-line-strong bg-bg px-2 font-mono";
const TARGETS: readonly TeamTarget[] = ["compose", "kubernetes"];

export function TeamForm({ profile, onClose }: { profile: ProfileName; onClose: () => void }) {
  const { hall, pickPath, spoken } = useHouse();
  const id = useId();
  const first = useRef<HTMLSelectElement>(null);
  const deed = useDeed();
  const [target, setTarget] = useState<TeamTarget>("compose");
  const [image, setImage] = useState("");
  const [gatewayImage, setGatewayImage] = useState("");
  const [url, setUrl] = useState("");
  const [shown, setShown] = useState<{ of: ExportTeam; export: TeamExport } | null>(null);
  const [written, setWritten] = useState<readonly string[]>([]);
  /** Grows with whatever makes an answer that is under way an old one. */
  const turn = useRef(0);
  useEffect(() => first.current?.focus(), []);

  const changed = <T,>(set: (value: T) => void) => (value: T) => {
    set(value);
    turn.current += 1;
    // What was shown is of other answers.
    setShown(null);
    setWritten([]);
  };
  const attempt = (how: Deed["go"], what: () => Promise<void>) =>
    how(async () => {
      try {
        await what();
        return null;
      } catch (reason) {
        return asRefusal(reason).report;
      }
    });
  const missing = image.trim() === "" || gatewayImage.trim() === "" ? words.wantsImages : undefined;
  const busy = deed.busy ? words.busy : undefined;
  const show = (event: SubmitEvent) => {
    event.preventDefault();
    // Enter in a field submits too.
    if ((missing ?? busy) !== undefined) return;
    const mine = ++turn.current;
    const of: ExportTeam = {
      profile,
      target,
      image: image.trim(),
      gatewayImage: gatewayImage.trim(),
      gatewayPort: null,
      url: url.trim() === "" ? null : url.trim(),
    };
    void attempt(deed.look, async () => {
      const team = await hall.ask("export_team", of);
      if (mine !== turn.current) return;
      setShown({ of, export: team });
      setWritten([]);
    });
  };
  const write = async () => {
    if (!shown || !pickPath) return;
    await attempt(deed.go, async () => {
      const folder = await pickPath({ kind: "folder" });
      if (folder === null) return;
      const { paths } = await hall.ask("write_team_export", { export: shown.of, folder });
      setWritten(paths);
      spoken.set(words.isWritten(folder));
    });
  };
  return (
    <form onSubmit={show} noValidate className="flex max-w-5xl flex-col gap-3 p-4" data-testid="team-form">
      <h2 className="font-semibold">{words.title(profile)}</h2>
      <p className="text-dim">{words.about}</p>
      <div className="flex flex-col gap-1">
        <label htmlFor={`${id}-target`}>{words.target}</label>
        <select
          ref={first}
          id={`${id}-target`}
          className={`${SELECT} self-start`}
          value={target}
          onChange={(event) => changed(setTarget)(TARGETS.find((one) => one === event.target.value) ?? "compose")}
        >
          {TARGETS.map((one) => (
            <option key={one} value={one}>{words.targets[one]}</option>
          ))}
        </select>
      </div>
      <Text id={`${id}-image`} label={words.image} says={words.imageSays} value={image} onValue={changed(setImage)} />
      <Text id={`${id}-gateway`} label={words.gatewayImage} says={words.gatewayImageSays} value={gatewayImage} onValue={changed(setGatewayImage)} />
      <Text id={`${id}-url`} label={words.url} says={words.urlSays} value={url} onValue={changed(setUrl)} />
      <div className="flex flex-wrap gap-2">
        <Button look="accent" type="submit" unavailable={missing ?? busy}>{words.show}</Button>
        <Button look="quiet" onClick={onClose}>{words.close}</Button>
      </div>
      {deed.problem && <Trouble report={deed.problem} />}
      {shown && (
        <section aria-label={words.preview} className="flex flex-col gap-3">
          <About team={shown.export} />
          <div className="flex flex-wrap gap-2">
            <Button unavailable={pickPath ? busy : words.noDialog} onClick={() => void write()}>{words.write}</Button>
          </div>
          {written.length > 0 && (
            <ul aria-label={words.written} className="text-ok">
              {written.map((path) => (
                <li key={path} className="break-all"><span aria-hidden>✓ </span><bdi>{path}</bdi></li>
              ))}
            </ul>
          )}
          {shown.export.files.map(({ path, text }) => (
            <details key={path} className="rounded-md border border-line" open={path === shown.export.files[0]?.path}>
              <summary className="px-3 py-1 font-mono">{path}</summary>
              <div className="flex flex-col border-t border-line px-3 py-2">
                <span className="self-end"><CopyButton what={path} text={() => text} /></span>
                <pre
                  dir="ltr"
                  role="region"
                  aria-label={path}
                  // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls is scrolled by keys too
                  tabIndex={0}
                  className="max-h-96 overflow-auto font-mono text-sm whitespace-pre select-text"
                >
                  {text}
                </pre>
              </div>
            </details>
          ))}
        </section>
      )}
    </form>
  );
}

function Text({ id, label, says, value, onValue }: { id: string; label: string; says: string; value: string; onValue: (value: string) => void }) {
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        dir="ltr"
        autoComplete="off"
        spellCheck={false}
        maxLength={512}
        value={value}
        aria-describedby={`${id}-says`}
        onChange={(event) => onValue(event.target.value)}
        className={FIELD}
      />
      <p id={`${id}-says`} className="text-sm text-dim">{says}</p>
    </div>
  );
}

/** Who runs there and who does not, and what has to be set; the engine says it in English. */
function About({ team }: { team: TeamExport }) {
  return (
    <div className="flex flex-col gap-2 select-text">
      <p>{words.runs(team.members)}</p>
      {team.leftOut.length > 0 && (
        <ul aria-label={words.leftOut}>
          {team.leftOut.map(({ member, why }) => (
            <li key={member} className="text-warn">
              <span aria-hidden>▲ </span>
              <Said text={words.doesNotRun} with={{ member, why }} />
            </li>
          ))}
        </ul>
      )}
      <div>
        <h3>{words.toSet}</h3>
        <ul>
          {team.toSet.map(({ name, what }) => (
            <li key={name}><code className="font-mono text-sm">{name}</code> <span className="text-dim">{what}</span></li>
          ))}
        </ul>
      </div>
      {team.notes.map((note) => (
        <p key={note} className="break-words text-dim">{note}</p>
      ))}
    </div>
  );
}
