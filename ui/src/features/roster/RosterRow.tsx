/* oxlint-disable jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- rows are not
   Tab stops: the tree has the focus and its key handler moves `aria-activedescendant` */
import { memo, useState, type MouseEvent, type ReactNode } from "react";

import type { MemberName, MemberView, ToolSummary } from "../../ipc/bindings";
import { useHall } from "../../lib/hall/hall";
import { useRosterPanel } from "../../lib/rosterPanel";
import { useStore } from "../../lib/store";
import { HintMarks } from "../../components/HintMarks";
import { Sign } from "../../components/Icon";
import { Tooltip } from "../../components/Tooltip";
import { counted, number } from "../../lib/format";
import { hintMarks } from "../../components/hints";
import type { SignName } from "../../components/signs";
import { faceOf, freshnessWord, isRunning } from "../../components/status";
import { ROW_PX } from "./rowHeights";
import type { MemberRow, Row, ToolRow } from "./rows";

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

/** One row of the roster. It renders again only when its data changes, not while the list scrolls. */
export const RosterRow = memo(function RosterRow({ row, index, domId, top, active, shown, onClick }: Props) {
  // The buttons of a row are only rendered while the pointer is over the row.
  const [hovered, setHovered] = useState(false);
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
    <Tooltip side="right" text={tooltipOf(row)}>
      <div
        {...tree}
        id={domId}
        aria-selected={shown}
        data-testid={testId(row)}
        data-status={row.kind === "member" ? row.view.status : undefined}
        data-active={active || undefined}
        onClick={(event) => onClick(row, index, event.detail)}
        onPointerEnter={() => setHovered(true)}
        onPointerLeave={() => setHovered(false)}
        data-index={index}
        style={{ height: ROW_PX[row.kind], transform: `translateY(${top}px)` }}
        className={`absolute top-0 start-2 end-2 overflow-hidden rounded-sm pe-2 select-none group-focus-visible:data-active:outline-2 group-focus-visible:data-active:-outline-offset-2 group-focus-visible:data-active:outline-accent ${
          shown ? "bg-selected" : "hover:bg-hover"
        } ${active && found && !shown ? "bg-hover" : ""}`}
      >
        {content(row, hovered)}
      </div>
    </Tooltip>
  );
});

function content(row: Row, hovered: boolean): ReactNode {
  switch (row.kind) {
    case "member":
      return <MemberLine row={row} hovered={hovered} />;
    case "tool":
      return <ToolLine row={row} />;
    case "trouble":
      return <p className="truncate ps-7 text-sm leading-5 text-bad">{row.report.message}</p>;
    case "note":
      return <p className="truncate pt-1 ps-7 text-sm text-dim">{row.text}</p>;
  }
}

const toolCount = (count: number) => counted(count, { one: "tool", other: "tools" });

/** The tooltip of a row, which explains the icons and counts in the row. */
function tooltipOf(row: Row): string {
  if (row.kind === "trouble") return row.report.message;
  if (row.kind === "note") return row.text;
  if (row.kind === "tool") {
    const { tool, faded } = row;
    const lines = [tool.title && tool.name, tool.summary, ...hintMarks(tool.hints).map(({ title }) => title), faded && "Outdated: from an earlier version", tool.mark && "Withheld from agents until you accept it"];
    return lines.filter(Boolean).join("\n");
  }
  const { view } = row;
  const exposed = view.warnings.find(({ code }) => code === "port-exposed");
  const lines = [`${view.name} ${view.version}`, view.description, exposed?.message, view.trust.held > 0 && `${toolCount(view.trust.held)} withheld from agents until you accept them`];
  return lines.filter(Boolean).join("\n");
}

function MemberLine({ row: { view, expanded }, hovered }: { row: MemberRow; hovered: boolean }) {
  const roster = useRosterPanel();
  const freshness = freshnessWord(view.freshness);
  const face = faceOf(view.status);
  return (
    <div className={`flex h-full items-center gap-1.5 ps-1 ${view.status === "disabled" ? "text-dim" : ""}`}>
      <span
        aria-hidden
        className="flex h-6 w-5 shrink-0 items-center justify-center rounded-xs text-dim hover:bg-line"
        onClick={(event) => {
          event.stopPropagation();
          roster.setExpanded(view.name, !expanded);
        }}
      >
        <Sign of={expanded ? "chevronDown" : "chevronRight"} />
      </span>
      <Sign of={face.shape} className={face.colour} />
      <span className="me-auto min-w-0 truncate font-medium">{view.name}</span>
      {view.warnings.some(({ code }) => code === "port-exposed") && (
        <span className="text-sm whitespace-nowrap text-warn"><Sign of="warning" className="me-1" />exposed</span>
      )}
      {view.trust.held > 0 && (
        <span className="text-sm whitespace-nowrap text-warn">
          <span aria-hidden><Sign of="delta" className="me-0.5" />{number(view.trust.held)}</span>
          <span className="sr-only">{toolCount(view.trust.held)} withheld</span>
        </span>
      )}
      <ChangedMark member={view.name} />
      {view.calls > 0 && <span className="text-sm text-accent"><Sign of="play" className="me-0.5" />{view.calls}</span>}
      {/* The text is shown in full or not at all: if the row is too narrow, the text wraps into a second line, which
          is clipped. */}
      {freshness !== "" && (
        <span className="flex h-4 min-w-0 shrink-[99999] flex-wrap justify-end overflow-hidden text-sm text-faint">
          <span className="h-4 w-px" />
          <span className="whitespace-nowrap">{freshness}</span>
        </span>
      )}
      {hovered && <RowActions view={view} />}
      <span className={`text-sm whitespace-nowrap @max-[200px]:sr-only ${view.status === "ready" ? "sr-only" : face.colour}`}>{face.word}</span>
      <span className="min-w-5 text-end text-sm text-faint tabular-nums">
        {view.freshness === "unknown" ? "–" : number(view.tools)}
      </span>
    </div>
  );
}

/**
 * Buttons to start or stop a member and to open its menu. They are for the mouse; the keyboard opens the menu with
 * the menu key.
 */
function RowActions({ view }: { view: MemberView }) {
  const hall = useHall();
  const verb = isRunning(view.status) ? "stop" : "start";
  const button = (title: string, sign: SignName, onPress: (event: MouseEvent<HTMLElement>) => void) => (
    <Tooltip text={title}>
      <span
        className="flex h-6 w-6 items-center justify-center rounded-xs text-dim hover:bg-line hover:text-text"
        onClick={(event) => {
          event.stopPropagation();
          onPress(event);
        }}
      >
        <Sign of={sign} />
      </span>
    </Tooltip>
  );
  return (
    // Keeps the row's tooltip closed while a button shows its tooltip.
    <span aria-hidden className="-me-1 flex" onPointerMove={(event) => event.stopPropagation()}>
      {view.status !== "disabled" && view.status !== "unreviewed" &&
        button(verb === "stop" ? "Stop" : "Start", verb === "stop" ? "stop" : "play", () => void hall.tend(`${verb}_member`, view.name))}
      {button("More actions", "more", ({ currentTarget, clientX, clientY }) => {
        currentTarget.dispatchEvent(new window.MouseEvent("contextmenu", { bubbles: true, cancelable: true, clientX, clientY }));
      })}
    </span>
  );
}

/** The number of tools that changed with the last edit of the member's files. */
function ChangedMark({ member }: { member: MemberName }) {
  const hall = useHall();
  const round = useStore(hall.state, ({ rounds }) => rounds.get(member));
  const changed = round ? round.tools.length + round.moreTools : 0;
  if (changed === 0) return null;
  return (
    <span className="text-sm whitespace-nowrap text-accent">
      <span aria-hidden><Sign of="pencil" className="me-0.5" />{number(changed)}</span>
      <span data-testid="changed-count" className="sr-only">{toolCount(changed)} changed just now</span>
    </span>
  );
}

/** A mark for a tool that is new or changed since the last edit of the member's files. */
function FreshMark({ tool: { member, name } }: { tool: ToolSummary }) {
  const hall = useHall();
  const difference = useStore(hall.state, ({ rounds }) => rounds.get(member)?.tools.find((tool) => tool.name === name)?.difference);
  if (difference !== "new" && difference !== "changed") return null;
  return <span className="text-sm whitespace-nowrap text-accent"><Sign of="pencil" className="me-1" />{difference}</span>;
}

function ToolLine({ row: { tool, faded, named } }: { row: ToolRow }) {
  return (
    <div className={`flex h-full items-center gap-1.5 ${named ? "ps-2" : "ps-7"} ${faded ? "text-faint italic" : ""}`}>
      <span className={`truncate text-start ${named ? "max-w-[70%] shrink-0" : "min-w-0 flex-1"}`}>{tool.title ?? tool.name}</span>
      {named && <span className="min-w-0 flex-1 truncate text-sm text-dim">{tool.member}</span>}
      <FreshMark tool={tool} />
      {tool.mark && <span className="text-sm text-warn"><Sign of="delta" className="me-1" /><span className="sr-only">withheld</span></span>}
      <HintMarks hints={tool.hints} brief />
    </div>
  );
}
