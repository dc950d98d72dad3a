/** The outcome of the last change of an app's config file, and the user's next steps. */
import { Icon } from "../../../components/Icon";
import { SIGNS } from "../../../components/signs";
import type { ConfigDone } from "./useConfigChange";

export function Outcome({ done, then }: { done: ConfigDone; then: string }) {
  return (
    <div role="status" className="flex gap-2 border-t border-line px-4 py-3">
      <Icon of={SIGNS.done} className="mt-0.5 text-ok" />
      <div className="min-w-0 flex-1 break-words">
        <p>
          {done.what === "written" ? "Saved." : done.file.asBefore ? "Config file restored." : "Entries restored. Later changes to the file are kept."}{" "}
          {done.what === "written" && done.file.backup !== null && <>Backup: <code className="font-mono text-sm break-all select-text">{done.file.backup}</code></>}
          {done.what === "undone" && done.file.clients.length > 0 && "Its token is revoked."}
        </p>
        {then !== "" && <p><span className="text-dim">Next steps:</span> {then}</p>}
      </div>
    </div>
  );
}
