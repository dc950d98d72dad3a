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
  readonly app?: AppTab | undefined;
}

/** The tab with the app of the tool (MCP Apps). The app is loaded when the user selects the tab. */
export interface AppTab {
  readonly view: ReactNode;
  /** Whether the tab is selected first. */
  readonly isFirst: boolean;
  readonly onSelect: (isSelected: boolean) => void;
}

export function AnsweredFrame({ outcome, face, raw, size, label, tabs, whole, fileName, statusId, picker, children, app }: Props) {
  const [tab, setTab] = useState(app?.isFirst === true ? "app" : "shown");
  // Once selected, the app stays loaded while another tab is shown.
  const [isAppLoaded, setIsAppLoaded] = useState(tab === "app");
  const isAlert = face.name !== "ok" && face.name !== "cancelled";
  const panel = "flex min-h-0 flex-1 flex-col gap-3 overflow-auto px-4 py-3 -outline-offset-2";
  const select = (next: string) => {
    setTab(next);
    setIsAppLoaded(isAppLoaded || next === "app");
    app?.onSelect(next === "app");
  };
  return (
    <Tabs.Root value={tab} onValueChange={select} className="flex min-h-0 flex-1 flex-col">
      <header className={HEADER}>
        <Tabs.List aria-label={label} className={SEGMENTS}>
          <Tabs.Trigger value="shown" className={SEGMENT}>{tabs.shown}</Tabs.Trigger>
          <Tabs.Trigger value="raw" className={SEGMENT}>{tabs.raw}</Tabs.Trigger>
          {app !== undefined && <Tabs.Trigger value="app" className={SEGMENT}>App</Tabs.Trigger>}
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
      {app !== undefined && isAppLoaded && <Tabs.Content value="app" forceMount hidden={tab !== "app"} className={`${panel} data-[state=inactive]:hidden`}>{app.view}</Tabs.Content>}
    </Tabs.Root>
  );
}
