/** What would be written into a program's file, against what stands there now. */
import { useEffect, useMemo, useRef } from "react";

import type { ClientConfigPreview, ProgramChoice } from "../../bridge/bindings";
import { Button } from "../../parts/Button";
import { Said } from "../../parts/Said";
import { lineSteps, LINES_MAX } from "../../results/compare/lines";
import { LineView } from "../../results/compare/LineView";
import { useSteps } from "../../results/json/useSteps";
import { words } from "../../words/connect";
import { exact } from "../../parts/exact";

interface Props {
  readonly preview: ClientConfigPreview;
  readonly title: string;
  readonly busy: string | undefined;
  readonly onWrite: () => void;
  /** Shows the change with all tools of servers of which the program offers only some, or without. */
  readonly onAllTools: (all: boolean) => void;
  readonly onClose: () => void;
}

/** Which tools of a server a program offers. */
function choiceWords({ server, tools }: ProgramChoice): string {
  switch (tools.kind) {
    case "all":
      return exact(server);
    case "only":
      return words.onlyTools(exact(server), tools.tools.map(exact));
    case "except":
      return words.allBut(exact(server), tools.tools.map(exact));
  }
}

export function Preview({ preview: { path, before, after, takenOut, comments, choices, profile, project }, title, busy, onWrite, onAllTools, onClose }: Props) {
  const panel = useRef<HTMLDivElement>(null);
  // Whoever asked for it looks for it here.
  useEffect(() => panel.current?.focus(), []);
  const begin = useMemo(
    () =>
      function* difference() {
        return { lines: yield* lineSteps(before ?? "", after) };
      },
    [before, after],
  );
  const found = useSteps(begin, (before?.length ?? 0) + after.length);
  const lines = found?.lines;
  const same = before === after;
  return (
    <div ref={panel} role="group" aria-label={words.previewFor(title)} tabIndex={-1} className="flex flex-col gap-2 border-t border-line px-3 py-2 outline-none">
      <p className="break-words">
        {same ? words.saysSo : before === null ? words.fileMade : words.wouldChange}{" "}
        <span className="text-dim">{words.tokenLater}</span>
      </p>
      {takenOut.length > 0 && (
        <p className="wrap-anywhere">
          <Said
            text={takenOut.length === 1 ? words.entryGoes : words.entriesGo}
            with={{ entries: <strong className="font-semibold">{takenOut.map(exact).join(", ")}</strong>, program: title }}
          />
        </p>
      )}
      {comments > 0 && <p className="break-words text-dim">{words.commentsGo(comments)}</p>}
      {(choices.length > 0 || profile !== null) && (
        <div className="rounded-sm bg-warn-fill px-2 py-1 wrap-anywhere">
          <p>
            <span aria-hidden className="text-warn">▲ </span>
            {choices.length > 0 ? words.someTools(title, choices.map(choiceWords)) : words.staysConnected(title)} {profile === null ? words.getsAll(title) : words.choiceKept(profile)}
          </p>
          <label className="flex items-center gap-2">
            <input type="checkbox" checked={profile === null} disabled={busy !== undefined} onChange={({ target }) => onAllTools(target.checked)} />
            {words.giveAllTools(title)}
          </label>
        </div>
      )}
      {project !== null && (
        <p className="rounded-sm bg-warn-fill px-2 py-1 wrap-anywhere">
          <span aria-hidden className="text-warn">▲ </span>
          <Said text={words.shared} with={{ project: <code className="font-mono text-sm">{exact(project)}</code> }} />
        </p>
      )}
      {found === null && <p role="status" className="text-dim"><span aria-hidden className="text-warn">◐ </span>{words.comparing}</p>}
      {lines === null && <p className="text-warn">▲ {words.tooLong(LINES_MAX)}</p>}
      {lines && !same && (
        <>
          <p role="status" className="text-sm text-dim">
            <span className="text-ok">+</span> {words.lines(lines.added)} · <span className="text-bad">−</span> {words.lines(lines.removed)}
          </p>
          <div className="rounded-sm border border-line">
            <LineView difference={lines} />
          </div>
        </>
      )}
      <div className="flex flex-wrap gap-2">
        <Button look="accent" unavailable={busy} onClick={onWrite}>
          {before === null ? words.makeFile : words.writeFile}
        </Button>
        <Button look="quiet" title={path} onClick={onClose}>{words.leave}</Button>
      </div>
    </div>
  );
}
