/** The last change of an app's config file, and the next steps. */
import { Button } from "../../parts/Button";
import { Sign } from "../../parts/Icon";
import { exact } from "../../parts/exact";
import { plural } from "../../words/format";
import type { ConfigDone } from "./useConfigChange";

interface Props {
  readonly done: ConfigDone;
  readonly then: string;
  readonly busy: string | undefined;
  /** Revokes the tokens in a file that was restored. */
  readonly onRevoke: () => void;
}

export function WhatWasDone({ done, then, busy, onRevoke }: Props) {
  const says = done.what === "written" ? "Saved." : done.file.asBefore ? "Restored" : "Entries restored. Later changes to the file are kept.";
  const clients = done.what === "undone" ? done.file.clients : [];
  return (
    <div className="flex flex-col gap-1 border-t border-line px-3 py-2">
      <div role="status">
        <p className="break-words">
          <Sign of="dot" className="text-ok me-1" />
          {says}{" "}
          {done.what === "written" && done.file.backup !== null && (
            <>Backup: <code className="font-mono text-sm break-all select-text">{done.file.backup}</code></>
          )}
        </p>
        {then !== "" && <p className="break-words"><span className="text-dim">Next steps:</span> {then}</p>}
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
