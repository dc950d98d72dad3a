/** Stores the draft of a tool's form across restarts, without secrets, and restores it. */
import { useEffect, useMemo } from "react";

import type { ToolDetail } from "../../ipc/bindings";
import type { Draft } from "../form/model/draft";
import { draftToText } from "../form/model/draftText";
import { withoutSecrets } from "../form/model/secrets";
import { initialDraft } from "../form/model/start";
import { formOf } from "../form/ToolForm";
import { sheetKey, type Workbench } from "./workbench";

export function useKeptDraft(bench: Workbench, detail: ToolDetail, draft: Draft | null): void {
  const { member, name: tool } = detail.summary;
  const { inputSchema } = detail;
  const node = useMemo(() => formOf({ inputSchema }), [inputSchema]);

  useEffect(() => {
    void bench.drafts.open(member, tool, bench.sheet(sheetKey(member, tool)).draft === null);
  }, [bench, member, tool]);

  useEffect(() => {
    if (draft === null) return;
    bench.drafts.note(member, tool, () => {
      const written = draftToText(withoutSecrets(node, draft));
      // A form that has only its initial values is not stored.
      return written === draftToText(withoutSecrets(node, initialDraft(node))) ? null : written;
    });
  }, [bench, member, tool, node, draft]);

  useEffect(() => {
    const flush = () => void bench.drafts.flush();
    window.addEventListener("pagehide", flush);
    document.addEventListener("visibilitychange", flush);
    return () => {
      window.removeEventListener("pagehide", flush);
      document.removeEventListener("visibilitychange", flush);
      flush();
    };
  }, [bench, member, tool]);
}
