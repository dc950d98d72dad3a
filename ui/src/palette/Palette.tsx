/** The palette: tools, members and actions by a few letters. `>` shows actions, `@` members only. */
import { Command } from "cmdk";
import { useEffect, useRef, useState, type ReactNode } from "react";

import { actionsOf, type Action } from "../app/actions";
import { useHouse } from "../app/house";
import type { MemberView, ToolSummary } from "../bridge/bindings";
import { useStore } from "../hall/store";
import { HintMarks } from "../parts/HintMarks";
import { StatusMark } from "../parts/StatusMark";
import { keyLabel } from "../words/keys";
import { useSearch } from "../roster/useSearch";

const TOOLS_MAX = 30;
const MEMBERS_MAX = 20;

function matches(text: string, words: readonly string[]): boolean {
  const lower = text.toLowerCase();
  return words.every((word) => lower.includes(word));
}

function toolValue(tool: ToolSummary): string {
  return `tool ${tool.member}/${tool.name}`;
}
function memberValue(view: MemberView): string {
  return `member ${view.name}`;
}
function actionValue(action: Action): string {
  return `action ${action.id}`;
}

export default function Palette() {
  const house = useHouse();
  const [text, setText] = useState(house.paletteText);
  const members = useStore(house.hall.state, (state) => state.members);
  const only = text.startsWith(">") ? "actions" : text.startsWith("@") ? "members" : null;
  const query = (only ? text.slice(1) : text).trim().toLowerCase();
  const words = query.split(/\s+/).filter(Boolean);
  const answer = useSearch(house.hall, only ? "" : query);

  const close = () => house.layer.set("none");
  const does = (run: () => void) => () => {
    close();
    run();
  };
  const openTool = (tool: ToolSummary) => does(() => house.openTool(tool.member, tool.name));
  const openMember = (view: MemberView) =>
    does(() => {
      house.openMember(view.name);
      house.setExpanded(view.name, true);
    });
  const foundMembers =
    only === "actions" ? [] : members.filter((view) => matches(view.name, words)).slice(0, MEMBERS_MAX);
  const foundActions =
    only === "members" ? [] : actionsOf(house).filter((action) => matches(action.title, words));

  // The first entry is chosen whenever the entries are others; the arrows move on from there.
  const tools = answer?.found.tools.slice(0, TOOLS_MAX) ?? [];
  const entries = [
    ...tools.map((tool) => ({ value: toolValue(tool), select: openTool(tool) })),
    ...foundMembers.map((view) => ({ value: memberValue(view), select: openMember(view) })),
    ...foundActions
      .filter((action) => action.unavailable === undefined)
      .map((action) => ({ value: actionValue(action), select: does(action.run) })),
  ];
  const [entry] = entries;
  const first = entry?.value;
  // The tools that stand there may be those of an earlier query. Enter then waits for the answer.
  const stale = only === null && query !== "" && answer?.query !== query;
  const entered = useRef(false);
  useEffect(() => {
    if (stale || !entered.current) return;
    entered.current = false;
    entry?.select();
  });
  const basis = `${text}\n${answer?.query ?? ""}`;
  const [chosen, setChosen] = useState({ basis, value: first ?? "" });
  const value = chosen.basis === basis ? chosen.value : (first ?? "");

  return (
    <Command.Dialog
      open
      value={value}
      onValueChange={(next) => setChosen({ basis, value: next })}
      onOpenChange={(open) => !open && close()}
      label="Find a tool, member or action"
      shouldFilter={false}
      loop
      overlayClassName="fixed inset-0 z-40 bg-black/40"
      contentClassName="fixed top-[10vh] left-1/2 z-50 flex max-h-[70vh] w-[min(600px,calc(100vw-24px))] -translate-x-1/2 flex-col overflow-hidden rounded-md border border-line-strong bg-raised shadow-(--shadow)"
    >
      <Command.Input
        value={text}
        onValueChange={(next) => {
          setText(next);
          entered.current = false;
        }}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || event.nativeEvent.isComposing || !stale) return;
          event.preventDefault();
          entered.current = true;
        }}
        maxLength={200}
        placeholder="Tool, member or action   > actions   @ members"
        data-testid="palette-input"
        className="h-10 w-full shrink-0 border-b border-line bg-transparent px-3 outline-none placeholder:text-faint"
      />
      <Command.List className="min-h-0 overflow-y-auto p-1">
        <Command.Empty className="p-3 text-dim">Nothing has these words.</Command.Empty>
        {answer && tools.length > 0 && (
          <Group heading={`Tools (${answer.found.total.toLocaleString("en")})`}>
            {tools.map((tool) => (
              <Item
                key={toolValue(tool)}
                value={toolValue(tool)}
                onSelect={openTool(tool)}
              >
                <span className="min-w-0 flex-1 truncate">
                  {tool.name} <span className="text-dim">{tool.member}</span>
                </span>
                <HintMarks hints={tool.hints} />
              </Item>
            ))}
          </Group>
        )}
        {foundMembers.length > 0 && (
          <Group heading="Members">
            {foundMembers.map((view) => (
              <Item
                key={view.name}
                value={memberValue(view)}
                onSelect={openMember(view)}
              >
                <span className="min-w-0 flex-1 truncate">{view.name}</span>
                <span className="text-sm text-dim">
                  <StatusMark status={view.status} />
                </span>
              </Item>
            ))}
          </Group>
        )}
        {foundActions.length > 0 && (
          <Group heading="Actions">
            {foundActions.map((action) => (
              <Item
                key={action.id}
                value={actionValue(action)}
                disabled={action.unavailable !== undefined}
                onSelect={does(action.run)}
              >
                <span className="min-w-0 flex-1 truncate">{action.title}</span>
                {action.unavailable !== undefined && (
                  <span className="truncate text-sm text-dim">{action.unavailable}</span>
                )}
                {action.keys !== undefined && <kbd className="font-sans text-sm text-dim">{keyLabel(action.keys)}</kbd>}
              </Item>
            ))}
          </Group>
        )}
      </Command.List>
    </Command.Dialog>
  );
}

function Group({ heading, children }: { heading: string; children: ReactNode }) {
  return (
    <Command.Group
      heading={heading}
      className="[&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-sm [&_[cmdk-group-heading]]:text-dim"
    >
      {children}
    </Command.Group>
  );
}

interface ItemProps {
  value: string;
  disabled?: boolean;
  onSelect: () => void;
  children: ReactNode;
}

function Item({ value, disabled = false, onSelect, children }: ItemProps) {
  return (
    <Command.Item
      value={value}
      disabled={disabled}
      onSelect={onSelect}
      className="flex h-7 items-center gap-3 rounded-sm px-2 data-[disabled=true]:opacity-60 data-[selected=true]:bg-selected"
    >
      {children}
    </Command.Item>
  );
}
