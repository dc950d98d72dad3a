/** The preview of a change of an app's config file, with buttons that save or cancel the change. */
import { useEffect, useRef } from "react";

import type { ClientConfigPreview, ProgramChoice } from "../../../ipc/bindings";
import { Button } from "../../../components/Button";
import { Sign } from "../../../components/Icon";
import { DiffView } from "../../results/code/DiffView";
import { exact } from "../../../lib/exact";
import { counted } from "../../../lib/format";

interface Props {
  readonly preview: ClientConfigPreview;
  readonly title: string;
  readonly busy: string | undefined;
  readonly onWrite: () => void;
  /** Requests another preview, in which the app gets all tools, or only the tools that it offered before. */
  readonly onAllTools: (all: boolean) => void;
  readonly onClose: () => void;
}

/** The tools of a server that an app offers, as text, such as `all of files but delete_file`. */
function choiceWords({ server, tools }: ProgramChoice): string {
  switch (tools.kind) {
    case "all":
      return exact(server);
    case "only":
      return tools.tools.length === 0 ? `none of ${exact(server)}` : `${tools.tools.map(exact).join(", ")} of ${exact(server)}`;
    case "except":
      return `all of ${exact(server)} but ${tools.tools.map(exact).join(", ")}`;
  }
}

export function Preview({ preview: { before, after, takenOut, comments, choices, profile, project }, title, busy, onWrite, onAllTools, onClose }: Props) {
  const panel = useRef<HTMLDivElement>(null);
  // The panel takes the focus, because the user requested the preview.
  useEffect(() => panel.current?.focus(), []);
  const same = before === after;
  return (
    <div ref={panel} role="group" aria-label={`Preview for ${title}`} tabIndex={-1} className="flex flex-col gap-2 border-t border-line px-4 py-3 outline-none">
      <p className="break-words">
        {same ? "Already connected. No changes." : before === null ? "New file" : "Changes"}{" "}
        <span className="text-dim">The token is created when you save. It isn&apos;t shown here.</span>
      </p>
      {takenOut.length > 0 && (
        <p data-testid="preview-leaving" className="wrap-anywhere">
          {"Removes "}
          <strong className="font-semibold">{takenOut.map(exact).join(", ")}</strong>. {title} uses {takenOut.length === 1 ? "it" : "them"} through Guild Hall instead, while Guild Hall is running.
        </p>
      )}
      {comments > 0 && <p className="break-words text-dim">{counted(comments, { one: "comment", other: "comments" })} inside the removed entries will be removed too. Undo brings them back.</p>}
      {(choices.length > 0 || profile !== null) && (
        <div className="rounded-sm bg-warn-fill px-2 py-1 wrap-anywhere">
          <p data-testid="preview-choice">
            <Sign of="warning" className="text-warn me-1" />
            {choices.length > 0 ? `${title} offered only some tools: ${choices.map(choiceWords).join("; ")}.` : `${title} stays connected to a profile.`} {profile === null ? `${title} gets all tools now.` : `The profile ${profile} keeps this choice, without members that come later.`}
          </p>
          <label className="flex items-center gap-2">
            <input type="checkbox" checked={profile === null} disabled={busy !== undefined} onChange={({ target }) => onAllTools(target.checked)} />
            Give {title} all tools of all members
          </label>
        </div>
      )}
      {project !== null && (
        <p data-testid="preview-shared" className="rounded-sm bg-warn-fill px-2 py-1 wrap-anywhere">
          <Sign of="warning" className="text-warn me-1" />
          This file is part of <code className="font-mono text-sm">{exact(project)}</code>. Anyone you share the project with gets this change and the token.
        </p>
      )}
      {!same && <DiffView left={before ?? ""} right={after} label={`Changes for ${title}`} />}
      <div className="flex flex-wrap gap-2">
        <Button look="accent" unavailable={busy} onClick={onWrite}>
          {before === null ? "Create file" : "Save changes"}
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </div>
    </div>
  );
}
