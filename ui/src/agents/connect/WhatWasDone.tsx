/** What was done to a program's file last, and what its user does now. */
import type { ConfigDone } from "./useConfigChange";

export function WhatWasDone({ done: { what, file }, then }: { done: ConfigDone; then: string }) {
  return (
    <div role="status" className="border-t border-line px-3 py-2">
      <p className="break-words">
        <span aria-hidden className="text-ok">● </span>
        {what === "written" ? "Written." : "The file is as it was before."}{" "}
        {file.backup !== null && (
          <>
            {what === "written" ? "As it was, it is kept at" : "What was undone is kept at"} <code className="font-mono text-sm break-all select-text">{file.backup}</code>.
          </>
        )}
      </p>
      {then !== "" && <p className="break-words"><span className="text-dim">What to do now:</span> {then}</p>}
    </div>
  );
}
