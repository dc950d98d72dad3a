/** Exports a profile as files with which Guild Hall, agentgateway or ToolHive runs its members for a team. */
import { useEffect, useId, useRef, useState, type SubmitEvent } from "react";

import type { ExportTeam, ProfileName, TeamExport, TeamTarget } from "../../../ipc/bindings";
import { errorOf } from "../../../lib/errorOf";
import { Button } from "../../../components/Button";
import { CopyButton } from "../../../components/CopyButton";
import { Sign } from "../../../components/Icon";
import { Select } from "../../../components/Select";
import { ErrorReport } from "../../../components/ErrorReport";
import { useDesktop } from "../../../lib/desktop";
import { useHall } from "../../../lib/hall/hall";
import { useSpoken } from "../../../lib/spoken";
import { useOperation } from "../../../lib/useOperation";
import { TextField } from "../TextField";

const TARGET_WORDS: Record<TeamTarget, string> = {
  compose: "Compose file",
  kubernetes: "Kubernetes manifests",
  agentgateway: "agentgateway file",
  "agentgateway-kubernetes": "agentgateway resources",
  toolhive: "ToolHive resources",
};

const TARGET_NOTES: Record<TeamTarget, string> = {
  compose: "Guild Hall runs the members in a container, behind your gateway.",
  kubernetes: "Guild Hall runs the members in a pod, behind your gateway.",
  agentgateway: "agentgateway starts the members itself, from one configuration file.",
  "agentgateway-kubernetes": "agentgateway connects to containers and addresses, in a Kubernetes cluster.",
  toolhive: "ToolHive's operator runs each member in a Kubernetes cluster.",
};

const TARGETS: readonly TeamTarget[] = ["compose", "kubernetes", "agentgateway", "agentgateway-kubernetes", "toolhive"];

/** The images that a format needs. */
function imagesOf(target: TeamTarget) {
  const byGuildHall = target === "compose" || target === "kubernetes";
  return { image: byGuildHall || target === "toolhive", gatewayImage: byGuildHall, required: byGuildHall };
}

export function TeamForm({ profile, onClose }: { profile: ProfileName; onClose: () => void }) {
  const hall = useHall();
  const spoken = useSpoken();
  const { pickPath } = useDesktop();
  const id = useId();
  const first = useRef<HTMLButtonElement>(null);
  const operation = useOperation();
  const [target, setTarget] = useState<TeamTarget>("compose");
  const [image, setImage] = useState("");
  const [gatewayImage, setGatewayImage] = useState("");
  const [url, setUrl] = useState("");
  const [shown, setShown] = useState<{ of: ExportTeam; export: TeamExport } | null>(null);
  const [written, setWritten] = useState<readonly string[]>([]);
  /** Incremented by each edit and each request, so that responses to earlier requests are discarded. */
  const turn = useRef(0);
  useEffect(() => first.current?.focus(), []);

  const changed = <T,>(set: (value: T) => void) => (value: T) => {
    set(value);
    turn.current += 1;
    // The preview was created from the previous values, so it is closed.
    setShown(null);
    setWritten([]);
  };
  const images = imagesOf(target);
  const missing = images.required && (image.trim() === "" || gatewayImage.trim() === "") ? "Enter both images first" : undefined;
  const busy = operation.busy ? "In progress" : undefined;
  const show = (event: SubmitEvent) => {
    event.preventDefault();
    // Enter in a field submits the form even if the button is unavailable.
    if ((missing ?? busy) !== undefined) return;
    const mine = ++turn.current;
    const of: ExportTeam = {
      profile,
      target,
      image: images.image ? orNull(image) : null,
      gatewayImage: images.gatewayImage ? orNull(gatewayImage) : null,
      gatewayPort: null,
      url: orNull(url),
    };
    void operation.look(() => errorOf(async () => {
      const team = await hall.ask("export_team", of);
      if (mine !== turn.current) return;
      setShown({ of, export: team });
      setWritten([]);
    }));
  };
  const write = async () => {
    if (!shown || !pickPath) return;
    await operation.go(() => errorOf(async () => {
      const folder = await pickPath({ kind: "folder" });
      if (folder === null) return;
      const { paths } = await hall.ask("write_team_export", { export: shown.of, folder });
      setWritten(paths);
      spoken.set(`Saved to ${folder}`);
    }));
  };
  return (
    <form onSubmit={show} noValidate className="flex max-w-3xl flex-col gap-4 p-6" data-testid="team-form">
      <h2 className="text-lg font-semibold">Export {profile} for a team</h2>
      <p className="text-dim">Creates files that run this profile's members for a team. They contain no secrets.</p>
      <div className="flex flex-col gap-1">
        <label htmlFor={`${id}-target`}>As</label>
        <Select ref={first} id={`${id}-target`} className="self-start" value={target} options={TARGETS.map((one) => ({ value: one, label: TARGET_WORDS[one] }))} onValue={changed(setTarget)} />
        <p className="text-sm text-dim" data-testid="team-target-note">{TARGET_NOTES[target]}</p>
      </div>
      {images.image && (
        images.required
          ? <TextField label="Image with guildhall" note="It must include the programs that start the members, such as npx and uvx." value={image} onValue={changed(setImage)} />
          : <TextField label="Image for commands" note="It runs members that are commands, and must include their programs, such as npx and uvx. Without it these members are left out." value={image} onValue={changed(setImage)} />
      )}
      {images.gatewayImage && (
        <TextField label="Image of the team's gateway" note="It runs beside Guild Hall. Others reach only this gateway, on port 8080." value={gatewayImage} onValue={changed(setGatewayImage)} />
      )}
      <TextField label="Address for this app" note="The address at which this app reaches the profile. Empty for this computer." value={url} onValue={changed(setUrl)} />
      <div className="flex flex-wrap gap-2">
        <Button look="accent" type="submit" unavailable={missing ?? busy}>Preview</Button>
        <Button look="quiet" onClick={onClose}>Close</Button>
      </div>
      {operation.problem && <ErrorReport report={operation.problem} />}
      {shown && (
        <section aria-label="Preview" className="flex flex-col gap-3">
          <About team={shown.export} />
          <div className="flex flex-wrap gap-2">
            <Button unavailable={pickPath ? busy : "No folder dialog here. Copy the files instead."} onClick={() => void write()}>Save to a folder…</Button>
          </div>
          {written.length > 0 && (
            <ul aria-label="Written files" className="text-ok">
              {written.map((path) => (
                <li key={path} className="break-all"><Sign of="check" className="me-1" /><bdi>{path}</bdi></li>
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
                  // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the Tab stop lets keyboard users scroll the text
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

function orNull(text: string): string | null {
  return text.trim() === "" ? null : text.trim();
}

/** The exported members, the members left out, the variables that the team must set, and notes. */
function About({ team }: { team: TeamExport }) {
  return (
    <div className="flex flex-col gap-2 select-text">
      <p data-testid="team-runs">Members: {team.members.join(", ")}</p>
      {team.leftOut.length > 0 && (
        <ul aria-label="Left-out members">
          {team.leftOut.map(({ member, why }) => (
            <li key={member} className="text-warn">
              <Sign of="warning" className="me-1" />
              {member} is left out: {why}.
            </li>
          ))}
        </ul>
      )}
      {team.toSet.length > 0 && (
        <div>
          <h3>Set these variables there</h3>
          <ul>
            {team.toSet.map(({ name, what }) => (
              <li key={name}><code className="font-mono text-sm">{name}</code> <span className="text-dim">{what}</span></li>
            ))}
          </ul>
        </div>
      )}
      {team.notes.map((note) => (
        <p key={note} className="break-words text-dim">{note}</p>
      ))}
    </div>
  );
}
