/* oxlint-disable jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- rows are
   not Tab stops: the tree has the focus and its key handler moves `aria-activedescendant` */
import { memo, type ReactNode } from "react";

import { useHouse } from "../app/house";
import type { MemberName, MemberView, ToolSummary } from "../bridge/bindings";
import { useStore } from "../hall/store";
import { HintMarks } from "../parts/HintMarks";
import { Sign } from "../parts/Icon";
import { counted, number } from "../words/format";
import { words as frame } from "../words/frame";
import { faceOf, freshnessWord, isRunning } from "../words/status";
import { ROW_PX } from "./rowHeights";
import type { MemberRow, Row, ToolRow, TroubleRow } from "./rows";

interface Props {
  row: Row;
  index: number;
  domId: string;
  top: number;
  active: boolean;
  shown: boolean;
  onClick: (row: Row, index: number, times: number) => void;
}

function testId(row: Row): string {
  if (row.kind === "member") return `member-${row.view.name}`;
  if (row.kind === "tool") return `tool-${row.tool.member}-${row.tool.name}`;
  return row.kind === "trouble" ? `trouble-${row.member}` : `note-${row.member}`;
}

/** One row; rerenders only when its data changes, not while the list scrolls. */
export const RosterRow = memo(function RosterRow({ row, index, domId, top, active, shown, onClick }: Props) {
  const found = row.kind === "tool" && row.named;
  const tree = found
    ? { role: "option" as const }
    : {
        role: "treeitem" as const,
        "aria-level": row.kind === "member" ? 1 : 2,
        "aria-setsize": row.siblings,
        "aria-posinset": row.position,
        ...(row.kind === "member" && { "aria-expanded": row.expanded }),
      };
  return (
    <div
      {...tree}
      id={domId}
      aria-selected={shown}
      data-testid={testId(row)}
      data-status={row.kind === "member" ? row.view.status : undefined}
      data-active={active || undefined}
      onClick={(event) => onClick(row, index, event.detail)}
      data-index={index}
      style={{ height: ROW_PX[row.kind], transform: `translateY(${top}px)` }}
      className={`group/row absolute top-0 start-2 end-2 overflow-hidden rounded-sm pe-2 select-none group-focus-visible:data-active:outline-2 group-focus-visible:data-active:-outline-offset-2 group-focus-visible:data-active:outline-accent ${
        shown ? "bg-selected" : "hover:bg-hover"
      } ${active && found && !shown ? "bg-hover" : ""}`}
    >
      {content(row)}
    </div>
  );
});

function content(row: Row): ReactNode {
  switch (row.kind) {
    case "member":
      return <MemberLine row={row} />;
    case "tool":
      return <ToolLine row={row} />;
    case "trouble":
      return <TroubleLine row={row} />;
    case "note":
      return <p className="truncate pt-1 ps-7 text-sm text-dim" title={row.text}>{row.text}</p>;
  }
}

function MemberLine({ row: { view, expanded } }: { row: MemberRow }) {
  const house = useHouse();
  const freshness = freshnessWord(view.freshness);
  const face = faceOf(view.status);
  const exposed = view.warnings.find(({ code }) => code === "port-exposed");
  return (
    <div className={`flex h-full items-center gap-1.5 ps-1 ${view.status === "disabled" ? "text-dim" : ""}`}>
      <span
        aria-hidden
        className="flex h-6 w-5 shrink-0 items-center justify-center rounded-xs text-dim hover:bg-line"
        onClick={(event) => {
          event.stopPropagation();
          house.setExpanded(view.name, !expanded);
        }}
      >
        <Sign of={expanded ? "chevronDown" : "chevronRight"} />
      </span>
      <Sign of={face.shape} className={face.colour} />
      <span className="me-auto min-w-0 truncate font-medium" title={titleOf(view)}>
        {view.name}
      </span>
      {exposed && (
        <span className="text-sm whitespace-nowrap text-warn" title={exposed.message}>
          <Sign of="warning" className="me-1" />exposed
        </span>
      )}
      {view.trust.held > 0 && (
        <span className="text-sm whitespace-nowrap text-warn" title={`${counted(view.trust.held, { one: "tool", other: "tools" })} held back from agents until accepted`}>
          <span aria-hidden><Sign of="delta" className="me-0.5" />{number(view.trust.held)}</span>
          <span className="sr-only">{counted(view.trust.held, { one: "tool", other: "tools" })} held back</span>
        </span>
      )}
      <ChangedMark member={view.name} />
      {view.calls > 0 && (
        <span className="text-sm text-accent" title={frame.running(view.calls)}><Sign of="play" className="me-0.5" />{view.calls}</span>
      )}
      {/* Whole or not at all: where it has no room it falls into a second line, which is not seen. */}
      {freshness !== "" && (
        <span className="flex h-4 min-w-0 shrink-[99999] flex-wrap justify-end overflow-hidden text-sm text-faint" title={freshness}>
          <span className="h-4 w-px" />
          <span className="whitespace-nowrap">{freshness}</span>
        </span>
      )}
      <RowActions view={view} />
      <span className={`text-sm whitespace-nowrap @max-[200px]:sr-only ${view.status === "ready" ? "sr-only" : face.colour}`}>{face.word}</span>
      <span className="min-w-5 text-end text-sm text-faint tabular-nums" title="Tools">
        {view.freshness === "unknown" ? "–" : number(view.tools)}
      </span>
    </div>
  );
}

/** Start or stop, and the menu, for the mouse; the keyboard has the menu key. */
function RowActions({ view }: { view: MemberView }) {
  const { hall } = useHouse();
  const verb = isRunning(view.status) ? "stop" : "start";
  const look = "hidden h-6 w-6 items-center justify-center rounded-xs text-dim group-hover/row:flex hover:bg-line hover:text-text";
  return (
    <span aria-hidden className="-me-1 flex empty:hidden">
      {view.status !== "disabled" && view.status !== "unreviewed" && (
        <span
          className={look}
          title={verb === "stop" ? "Stop" : "Start"}
          onClick={(event) => {
            event.stopPropagation();
            void hall.tend(`${verb}_member`, view.name);
          }}
        >
          <Sign of={verb === "stop" ? "stop" : "play"} />
        </span>
      )}
      <span
        className={look}
        title="More"
        onClick={(event) => {
          event.stopPropagation();
          const { clientX, clientY } = event;
          event.currentTarget.dispatchEvent(new MouseEvent("contextmenu", { bubbles: true, cancelable: true, clientX, clientY }));
        }}
      >
        <Sign of="more" />
      </span>
    </span>
  );
}

/** How many tools the last change of the member's files changed. */
function ChangedMark({ member }: { member: MemberName }) {
  const { hall } = useHouse();
  const round = useStore(hall.state, ({ rounds }) => rounds.get(member));
  const changed = round ? round.tools.length + round.moreTools : 0;
  if (changed === 0) return null;
  return (
    <span className="text-sm whitespace-nowrap text-accent" title={`${counted(changed, { one: "tool", other: "tools" })} changed with the last change of its files`}>
      <span aria-hidden><Sign of="pencil" className="me-0.5" />{number(changed)}</span>
      <span data-testid="changed-count" className="sr-only">{counted(changed, { one: "tool", other: "tools" })} changed just now</span>
    </span>
  );
}

/** Whether the last change of its member's files changed this tool. */
function FreshMark({ tool: { member, name } }: { tool: ToolSummary }) {
  const { hall } = useHouse();
  const difference = useStore(hall.state, ({ rounds }) => rounds.get(member)?.tools.find((tool) => tool.name === name)?.difference);
  if (difference !== "new" && difference !== "changed") return null;
  return (
    <span className="text-sm whitespace-nowrap text-accent" title="By the last change of its member's files">
      <Sign of="pencil" className="me-1" />{difference}
    </span>
  );
}

function titleOf(view: MemberView): string {
  return [`${view.name} ${view.version}`, view.description].filter(Boolean).join("\n");
}

function ToolLine({ row: { tool, faded, named } }: { row: ToolRow }) {
  return (
    <div
      className={`flex h-full items-center gap-1.5 ${named ? "ps-2" : "ps-7"} ${faded ? "text-faint italic" : ""}`}
      title={[tool.title && tool.name, tool.summary, faded && "Outdated: from an earlier version"].filter(Boolean).join("\n")}
    >
      <span className={`truncate text-start ${named ? "max-w-[70%] shrink-0" : "min-w-0 flex-1"}`}>{tool.title ?? tool.name}</span>
      {named && <span className="min-w-0 flex-1 truncate text-sm text-dim">{tool.member}</span>}
      <FreshMark tool={tool} />
      {tool.mark && <span className="text-sm text-warn" title="Held back from agents until it is accepted"><Sign of="delta" className="me-1" /><span className="sr-only">held back</span></span>}
      <HintMarks hints={tool.hints} brief />
    </div>
  );
}

/** The reason of a failure in one line; the member's page has the whole of it. */
function TroubleLine({ row: { report } }: { row: TroubleRow }) {
  return <p className="truncate ps-7 text-sm leading-5 text-bad" title={report.message}>{report.message}</p>;
}
