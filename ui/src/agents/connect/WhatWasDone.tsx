/** What was done to a program's file last, and what its user does now. */
import { Button } from "../../parts/Button";
import { Sign } from "../../parts/Icon";
import { exact } from "../../parts/exact";
import { plural } from "../../words/format";
import type { ConfigDone } from "./useConfigChange";

interface Props {
  readonly done: ConfigDone;
  readonly then: string;
  readonly busy: string | undefined;
  /** Revokes the tokens that stood in a file that was given back. */
  readonly onRevoke: () => void;
}

export function WhatWasDone({ done, then, busy, onRevoke }: Props) {
  const says = done.what === "written" ? "Written." : done.file.asBefore ? "The file is as it was before." : "The entries are back. Changes made to the file since are kept.";
  const clients = done.what === "undone" ? done.file.clients : [];
  return (
    <div className="flex flex-col gap-1 border-t border-line px-3 py-2">
      <div role="status">
        <p className="break-words">
          <Sign of="dot" className="text-ok me-1" />
          {says}{" "}
          {done.what === "written" && done.file.backup !== null && (
            <>As it was, it is kept at <code className="font-mono text-sm break-all select-text">{done.file.backup}</code>.</>
          )}
        </p>
        {then !== "" && <p className="break-words"><span className="text-dim">What to do now:</span> {then}</p>}
      </div>
      {clients.length > 0 && (
        <p data-testid="token-left" className="flex flex-wrap items-center gap-2 wrap-anywhere">
          <Sign of="warning" className="text-warn me-1" />
          Still valid: the token of {clients.map(({ name, tokenEnd }) => `${exact(name)} (…${tokenEnd})`).join(", ")}.
          <Button unavailable={busy} onClick={onRevoke}>{plural(clients.length, { one: "Revoke token", other: "Revoke tokens" })}</Button>
        </p>
      )}
    </div>
  );
}
