/**
 * The frame around the response of a call: a header with the outcome, and tabs for the formatted and the raw
 * response.
 */
import { Tabs } from "radix-ui";
import { type ReactNode, useState } from "react";

import type { CallOutcome } from "../../ipc/bindings";
import { CopyButton } from "../../components/CopyButton";
import { Icon } from "../../components/Icon";
import { SEGMENT, SEGMENTS } from "../../components/Segmented";
import { SIGNS } from "../../components/signs";
import { duration } from "../../lib/time";
import { sizeWord } from "./content";
import type { CallFace } from "./face";
import { RawPane } from "./RawPane";
import { SaveButton } from "./SaveButton";

/** The class of the header above a result. The header of a running call has the same class. */
export const HEADER = "flex min-h-10 shrink-0 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-4 py-1";

interface Props {
  readonly outcome: CallOutcome;
  readonly face: CallFace;
  /** The raw response. `size` is its length in bytes, or `null` until it is computed. */
  readonly raw: string;
  readonly size: number | null;
  /** The accessible name of the tab list, and the labels of its two tabs. */
  readonly label: string;
  readonly tabs: { readonly shown: string; readonly raw: string };
  readonly whole: string;
  readonly fileName: string;
  /** The test id of the status line. */
  readonly statusId: string;
  /** A control in the header that selects another response. */
  readonly picker?: ReactNode;
  readonly children: ReactNode;
}

export function AnsweredFrame({ outcome, face, raw, size, label, tabs, whole, fileName, statusId, picker, children }: Props) {
  const [tab, setTab] = useState("shown");
  const isAlert = face.name !== "ok" && face.name !== "cancelled";
  const panel = "flex min-h-0 flex-1 flex-col gap-3 overflow-auto px-4 py-3 -outline-offset-2";
  return (
    <Tabs.Root value={tab} onValueChange={setTab} className="flex min-h-0 flex-1 flex-col">
      <header className={HEADER}>
        <Tabs.List aria-label={label} className={SEGMENTS}>
          <Tabs.Trigger value="shown" className={SEGMENT}>{tabs.shown}</Tabs.Trigger>
          <Tabs.Trigger value="raw" className={SEGMENT}>{tabs.raw}</Tabs.Trigger>
        </Tabs.List>
        <p data-testid={statusId} data-face={face.name} role={isAlert ? "alert" : "status"} className="flex items-center gap-1.5">
          <Icon of={SIGNS[face.shape]} className={face.colour} />
          <span className={`font-medium ${face.colour}`}>{face.word}</span>
          <span className="text-sm text-dim">
            {" "}
            {duration(outcome.durationMs)}
            {outcome.end.kind === "result" && size !== null && ` · ${sizeWord(size)}`}
          </span>
        </p>
        {picker}
        <div className="ms-auto flex min-w-0 items-center">
          <CopyButton icon text={() => raw} what={whole} />
          <SaveButton what={whole} name={fileName} text={() => raw} />
        </div>
      </header>
      <Tabs.Content value="shown" className={panel}>{children}</Tabs.Content>
      <Tabs.Content value="raw" className={panel}><RawPane outcome={outcome} response={raw} /></Tabs.Content>
    </Tabs.Root>
  );
}
