/** A member in the profile editor: its position, its prefix in tool names, and its tools. */
import type { MountedMember } from "../../../ipc/bindings";
import { Button } from "../../../components/Button";
import { IconButton } from "../../../components/IconButton";
import { counted } from "../../../lib/format";
import { MountTools } from "./MountTools";

interface Props {
  readonly mount: MountedMember;
  /** The member's index in the profile, from 0. */
  readonly place: number;
  readonly among: number;
  readonly open: boolean;
  readonly onOpen: (open: boolean) => void;
  readonly onMount: (mount: MountedMember) => void;
  readonly onPrefix: (bare: boolean) => void;
  readonly onMove: (by: 1 | -1) => void;
  readonly onRemove: () => void;
}

export function MountCard({ mount, place, among, open, onOpen, onMount, onPrefix, onMove, onRemove }: Props) {
  const { member } = mount;
  return (
    <li className="rounded-md border border-line">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2">
        <span className="w-5 shrink-0 text-end text-dim tabular-nums">{place + 1}</span>
        <span className="min-w-0 flex-1 basis-48 font-medium break-words">
          {member} <span className="font-normal text-dim">{choiceWords(mount)}</span>
        </span>
        <label className="inline-flex items-center gap-1">
          <input type="checkbox" checked={mount.withoutPrefix} onChange={(event) => onPrefix(event.target.checked)} />
          Without prefix
        </label>
        <span className="inline-flex">
          <IconButton icon="up" data-move={`${member} -1`} label={`Move ${member} up`} unavailable={place === 0 ? "Already first" : undefined} onClick={() => onMove(-1)} />
          <IconButton icon="down" data-move={`${member} 1`} label={`Move ${member} down`} unavailable={place === among - 1 ? "Already last" : undefined} onClick={() => onMove(1)} />
        </span>
        <Button aria-expanded={open} aria-label={`Tools of ${member}`} onClick={() => onOpen(!open)}>Tools</Button>
        <IconButton icon="close" label={`Remove ${member}`} onClick={onRemove} />
      </div>
      {open && <MountTools mount={mount} onMount={onMount} />}
    </li>
  );
}

function choiceWords({ tools, changes }: MountedMember): string {
  const chosen = tools.kind === "all" ? "all tools" : tools.kind === "only" ? `only ${counted(tools.tools.length, { one: "tool", other: "tools" })}` : `all but ${counted(tools.tools.length, { one: "tool", other: "tools" })}`;
  const count = Object.keys(changes).length;
  return count === 0 ? chosen : `${chosen} · ${counted(count, { one: "tool", other: "tools" })} overridden`;
}
