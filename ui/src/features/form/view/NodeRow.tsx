/** The row of one argument value: its label, menu, control and notes. */

import { memo, useState } from "react";

import { Sign } from "../../../components/Icon";
import { counted } from "../../../lib/format";
import { type FormCommands, type Place, useFormCommands } from "../commands";
import { aidOf, type PathKind } from "../model/aids";
import { ADDED, type Draft } from "../model/draft";
import { drawable } from "../model/fit";
import type { FormNode } from "../model/node";
import { numberProblem } from "../model/number";
import { drawnNode } from "../model/places";
import { moveAside } from "./aside";
import { nameIn } from "./controls";
import { JsonBox } from "./JsonBox";
import { NodeBody } from "./NodeBody";
import { Notes, notesOf } from "./Notes";
import type { RowProps } from "./row";
import { RowMenu } from "./RowMenu";
import { moveByKey, RENAME_ENDING, RenameKey } from "./RowParts";

/** The row is memoized, so that typing in a form of hundreds of rows rerenders only the edited row. */
export const NodeRow = memo(Row);

const PATH_WORDS: Record<PathKind, string> = { file: "file path", "new-file": "file path", folder: "folder path", either: "path" };
const AID_WORDS = { date: "date", time: "time", "date-time": "date and time", uuid: "UUID" };

/** The type of a value in plain language, such as "file path", with the size of a list or an object. */
function typeWords(node: FormNode, draft: Draft, place: Place, form: FormCommands): string {
  switch (node.kind) {
    case "string": {
      if (node.style === "base64") return "file";
      const aid = aidOf(node, nameIn(place), form.around);
      return aid === null ? "text" : aid.kind === "path" ? PATH_WORDS[aid.wanted] : AID_WORDS[aid.kind];
    }
    case "number":
      return node.whole ? "whole number" : "number";
    case "boolean":
      return "true or false";
    case "choice":
      return "choice";
    case "array":
      return draft.kind === "array" ? `list · ${counted(draft.items.length, { one: "item", other: "items" })}` : "list";
    case "object":
      return draft.kind === "object" ? `object · ${counted(draft.entries.size, { one: "key", other: "keys" })}` : "object";
    default:
      return "";
  }
}

const NO_PROBLEMS: readonly string[] = [];

function Row(props: RowProps) {
  const { node, draft, place, marks, label, required, kept = false, part } = props;
  const form = useFormCommands();
  const [renaming, setRenaming] = useState(false);
  const id = form.idOf(place.pointer);
  const json = marks.json.has(place.pointer) || !drawable(node, draft);
  const drawn = drawnNode(node, draft);
  const expandable = (drawn.kind === "object" || drawn.kind === "array") && !json && draft.kind !== "null";
  const group = node.kind === "object" || node.kind === "array" || node.kind === "union" || expandable;
  // An `any` node with the picked kind null is drawn as a constant, whose control shows the null.
  const isNull = draft.kind === "null" && drawn.kind !== "const";
  const reported = marks.problems.get(place.pointer) ?? NO_PROBLEMS;
  const typed = draft.kind === "number" ? numberProblem(draft.text) : null;
  const problems = typed === null || reported.includes(typed) ? reported : [typed, ...reported];
  const notes = notesOf({ node, drawn, draft, label, problems });
  const describedBy = notes.ids.map((ending) => id + ending).join(" ") || undefined;
  const invalid = problems.length > 0;
  const open = marks.open.has(place.pointer);
  // Whether the control itself has the row's id. If not, the fieldset of the group gets the id.
  const hasOwnId = json || isNull || (group && !expandable);

  const dimmed = props.idle === true && draft.kind === "absent" ? "opacity-60 focus-within:opacity-100 hover:opacity-100" : "";

  const isItem = part?.kind === "item";
  const type = json || (isItem && !group) ? "" : typeWords(drawn, draft, place, form);
  const named = `min-w-0 font-medium wrap-anywhere ${node.deprecated ? "line-through" : ""}`;
  const name = (
    <span className="flex min-w-0 flex-wrap items-baseline gap-x-1.5">
      {renaming && part?.kind === "key" ? (
        <RenameKey part={part} place={place} onDone={() => setRenaming(false)} />
      ) : expandable ? (
        <button
          type="button"
          className="min-w-0 text-start font-medium wrap-anywhere"
          aria-expanded={open}
          onClick={() => form.setOpen(place.pointer, !open)}
        >
          <Sign of={open ? "chevronDown" : "chevronRight"} className="me-1 text-faint" />
          {label}
        </button>
      ) : group || json || isNull || drawn.kind === "boolean" || drawn.kind === "const" ? (
        <span className={named}>{label}</span>
      ) : (
        <label htmlFor={id} className={named}>{label}</label>
      )}
      {required && <span className="text-bad" aria-hidden>*</span>}
      {type !== "" && <span className="text-sm whitespace-nowrap text-faint">{type}</span>}
      {props.condition !== undefined && <span className="text-sm text-faint">{props.condition}</span>}
      {node.deprecated && <span className="text-sm text-faint">deprecated</span>}
    </span>
  );

  const control = json ? (
    <JsonBox
      id={id}
      label={`${label} as JSON`}
      draft={draft}
      describedBy={describedBy}
      invalid={invalid}
      onDraft={(next) => {
        // Without this call, the JSON editor would disappear while the user types, as soon as the value fits the field
        // again.
        form.setJson(place.pointer, true);
        form.edit(place, () => (next.kind === "absent" && kept ? ADDED : next));
      }}
    />
  ) : isNull ? (
    <code id={id} tabIndex={-1} className="font-mono text-sm text-dim">null</code>
  ) : (
    <NodeBody {...{ node, draft, place, marks, label, required, kept, describedBy, invalid }} />
  );
  const words = <Notes id={id} notes={notes} node={node} draft={draft} place={place} label={label} />;
  const rename = () => {
    setRenaming(true);
    form.focus(place.pointer, RENAME_ENDING);
  };
  const menu = <RowMenu {...props} json={json} drawnAs={drawn} onRename={rename} />;
  // The key handlers catch events from all controls inside. The row itself is not interactive.
  const keys = {
    onKeyDown: (event: React.KeyboardEvent<HTMLElement>) => {
      if (!moveByKey(form, part, event)) moveAside(event);
    },
  };

  if (!group) {
    return (
      <div className={`${dimmed} group/field flex gap-x-2 ${isItem ? "py-1" : "flex-col gap-y-1 py-2"}`} data-place={place.pointer} {...keys}>
        {isItem ? <span className="w-9 shrink-0 pt-1.5 text-sm">{name}</span> : <div className="flex items-start justify-between gap-2">{name}{menu}</div>}
        <div className="min-w-0 flex-1">
          {control}
          {words}
        </div>
        {isItem && <span className="pt-1">{menu}</span>}
      </div>
    );
  }
  return (
    <fieldset
      // `isolate` creates a stacking context, so that a change in one group does not repaint the others. The
      // focused group is on top, because its menus overlap the rows below.
      className={`${dimmed} isolate min-w-0 focus-within:relative focus-within:z-1 ${isItem && isOuterItem(place) ? "my-2 rounded-md border border-line p-3" : "py-2"}`}
      data-place={place.pointer}
      id={hasOwnId ? undefined : id}
      tabIndex={-1}
      aria-describedby={describedBy}
      {...keys}
    >
      <legend className="group/field float-start flex w-full items-start justify-between gap-2 pb-1">
        {name}
        {menu}
      </legend>
      <div className="clear-both">
        {words}
        {(json || !expandable || open || drawn !== node) && <div className={isItem || json || !expandable ? "" : "ps-3"}>{control}</div>}
      </div>
    </fieldset>
  );
}

/** Whether a row is an item of a list that is not nested in another list. Only such items have a border. */
function isOuterItem(place: Place): boolean {
  return place.steps.filter(({ key }) => typeof key === "number").length === 1;
}
