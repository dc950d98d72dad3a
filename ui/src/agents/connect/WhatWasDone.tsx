/** What was done to a program's file last, and what its user does now. */
import { Button } from "../../parts/Button";
import { exact } from "../../parts/exact";
import { Said } from "../../parts/Said";
import { words } from "../../words/connect";
import type { ConfigDone } from "./useConfigChange";

interface Props {
  readonly done: ConfigDone;
  readonly then: string;
  readonly busy: string | undefined;
  /** Revokes the tokens that stood in a file that was given back. */
  readonly onRevoke: () => void;
}

export function WhatWasDone({ done, then, busy, onRevoke }: Props) {
  const says = done.what === "written" ? words.written : done.file.asBefore ? words.undone : words.entriesBack;
  const clients = done.what === "undone" ? done.file.clients : [];
  return (
    <div className="flex flex-col gap-1 border-t border-line px-3 py-2">
      <div role="status">
        <p className="break-words">
          <span aria-hidden className="text-ok">● </span>
          {says}{" "}
          {done.what === "written" && done.file.backup !== null && (
            <Said text={words.backup} with={{ file: <code className="font-mono text-sm break-all select-text">{done.file.backup}</code> }} />
          )}
        </p>
        {then !== "" && <p className="break-words"><span className="text-dim">{words.toDoNow}</span> {then}</p>}
      </div>
      {clients.length > 0 && (
        <p className="flex flex-wrap items-center gap-2 wrap-anywhere">
          <span aria-hidden className="text-warn">▲</span>
          {words.tokenValid(clients.map(({ name, tokenEnd }) => `${exact(name)} (…${tokenEnd})`))}
          <Button unavailable={busy} onClick={onRevoke}>{words.revokeToken(clients.length)}</Button>
        </p>
      )}
    </div>
  );
}
