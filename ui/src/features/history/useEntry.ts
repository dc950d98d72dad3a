import { useEffect, useState } from "react";

import type { EntryId, RecordedCall, Report, ToolDetail } from "../../ipc/bindings";
import { asRefusal } from "../../ipc/bridge";
import { useHall } from "../../lib/hall/hall";
import { useCallHistory } from "./callHistory";

/** A past call and its tool, which are read one after the other. */
export interface KnownEntry {
  readonly id: EntryId;
  readonly call: RecordedCall | null;
  /** The reason why the call can't be shown. */
  readonly error: Report | null;
  /** The current version of the call's tool, or the error of reading the tool; `null` until read. */
  readonly tool: ToolDetail | Report | null;
}

export function useEntry(id: EntryId): KnownEntry {
  const hall = useHall();
  const history = useCallHistory();
  const [known, setKnown] = useState<KnownEntry>({ id, call: null, error: null, tool: null });
  useEffect(() => {
    let wanted = true;
    const keep = (changes: Partial<KnownEntry>) => {
      if (!wanted) return;
      const nothing: KnownEntry = { id, call: null, error: null, tool: null };
      setKnown((held) => ({ ...(held.id === id ? held : nothing), ...changes }));
    };
    const read = async () => {
      try {
        const call = await hall.ask("history_entry", { id });
        keep({ call, error: null });
        const { member, tool } = call.entry;
        keep({ tool: await hall.toolDetail(member, tool).catch((reason: unknown) => asRefusal(reason).report) });
      } catch (reason) {
        const { report } = asRefusal(reason);
        if (report.code === "history-entry-unknown") history.log.forget(id);
        keep({ error: report });
      }
    };
    void read();
    return () => {
      wanted = false;
    };
  }, [hall, history, id]);
  return known.id === id ? known : { id, call: null, error: null, tool: null };
}

export function isTool(tool: ToolDetail | Report | null): tool is ToolDetail {
  return tool !== null && "inputSchema" in tool;
}

/** The reason why a tool can no longer be opened; `undefined` if it can. */
export function whyGone(tool: ToolDetail | Report | null): string | undefined {
  return tool === null || isTool(tool) ? undefined : tool.message;
}
