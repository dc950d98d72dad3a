/** What was done to a program's file last, and what its user does now. */
import { Said } from "../../parts/Said";
import { words } from "../../words/connect";
import type { ConfigDone } from "./useConfigChange";

export function WhatWasDone({ done: { what, file }, then }: { done: ConfigDone; then: string }) {
  return (
    <div role="status" className="border-t border-line px-3 py-2">
      <p className="break-words">
        <span aria-hidden className="text-ok">● </span>
        {words.done[what]}{" "}
        {file.backup !== null && <Said text={words.backup[what]} with={{ file: <code className="font-mono text-sm break-all select-text">{file.backup}</code> }} />}
      </p>
      {then !== "" && <p className="break-words"><span className="text-dim">{words.toDoNow}</span> {then}</p>}
    </div>
  );
}
