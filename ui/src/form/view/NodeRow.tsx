/** One place of the arguments: its label, what can be done with it, its control, its errors. */

import { memo } from "react";

import { PART_KEYS } from "../../app/actionKeys";
import { Sign } from "../../parts/Icon";
import { keyed, number } from "../../words/format";
import { keyLabel } from "../../words/keys";
import { type Marks, put, type Place, sameMarks, samePlace, unset, useDesk } from "../desk";
import { ADDED, type Draft, NULL } from "../model/draft";
import { drawable } from "../model/fit";
import type { FormNode } from "../model/node";
import { numberProblem } from "../model/number";
import { drawnNode } from "../model/places";
import { emptyOf, fallbackOf } from "../model/start";
import { valueLabels } from "../model/labels";
import { ASIDE, moveAside } from "./aside";
import { BUTTON } from "./controls";
import { JsonBox } from "./JsonBox";
import { NodeBody } from "./NodeBody";
import { Notes, notesOf } from "./Notes";
import { moveByKey, type Part, PartActions, samePart } from "./RowParts";

interface RowProps {
  readonly node: FormNode;
  readonly draft: Draft;
  readonly place: Place;
  readonly marks: Marks;
  readonly label: string;
  readonly required: boolean;
  /** How it stands with the values of other fields, in words. */
  readonly condition?: string | undefined;
  /** With the values of other fields it has no meaning. */
  readonly idle?: boolean;
  /** An item or an added key: it is removed, not unset. */
  readonly kept?: boolean;
  /** The list or the object that it can be moved in or removed from. */
  readonly part?: Part;
}

/** Whether a row would be drawn as it is already: in a form of hundreds, all but the one typed into. */
function sameRow(a: RowProps, b: RowProps): boolean {
  return (
    a.node === b.node &&
    a.draft === b.draft &&
    a.label === b.label &&
    a.required === b.required &&
    a.condition === b.condition &&
    a.idle === b.idle &&
    a.kept === b.kept &&
    samePart(a.part, b.part) &&
    samePlace(a.place, b.place) &&
    sameMarks(a.marks, b.marks, b.place.pointer)
  );
}

export const NodeRow = memo(Row, sameRow);

function summaryOf(draft: Draft): string {
  if (draft.kind === "array") return `list · ${number(draft.items.length)}`;
  if (draft.kind === "object") return draft.entries.size === 0 ? "empty object" : `object · ${number(draft.entries.size)}`;
  return draft.kind === "absent" ? "unset" : "";
}

/** The type of a value in the words of people who write no schemas. */
function typeWord(node: FormNode): string {
  switch (node.kind) {
    case "string":
      return node.style === "base64" ? "file" : "text";
    case "number":
      return node.whole ? "whole number" : "number";
    case "boolean":
      return "true or false";
    case "choice":
      return "one of a list";
    default:
      return "";
  }
}

/** What the id of the button that changes between a field and its JSON ends with. */
const JSON_ENDING = "-braces";

const NO_PROBLEMS: readonly string[] = [];

function Row(props: RowProps) {
  const { node, draft, place, marks, label, required, kept = false, part } = props;
  const desk = useDesk();
  const id = desk.idOf(place.pointer);
  const json = marks.json.has(place.pointer) || !drawable(node, draft);
  const drawn = drawnNode(node, draft);
  const expandable = (drawn.kind === "object" || drawn.kind === "array") && !json && draft.kind !== "null";
  const group = node.kind === "object" || node.kind === "array" || node.kind === "union" || expandable;
  // Where anything goes, null is one of the kinds.
  const isNull = draft.kind === "null" && drawn.kind !== "const";
  const told = marks.problems.get(place.pointer) ?? NO_PROBLEMS;
  const typed = draft.kind === "number" ? numberProblem(draft.text) : null;
  const problems = typed === null || told.includes(typed) ? told : [typed, ...told];
  const notes = notesOf({ node, drawn, draft, label, problems });
  const describedBy = notes.ids.map((ending) => id + ending).join(" ") || undefined;
  const invalid = problems.length > 0;
  const open = marks.open.has(place.pointer);
  // A JSON box, a null and the plain variant of a union have the id themselves.
  const hasOwnId = json || isNull || (group && !expandable);

  const dimmed = props.idle === true && draft.kind === "absent" ? "opacity-60 focus-within:opacity-100 hover:opacity-100" : "";

  const name = (
    <span className="flex min-w-0 items-baseline gap-1.5">
      {expandable ? (
        <button
          type="button"
          className="min-w-0 text-start font-medium wrap-anywhere"
          aria-expanded={open}
          onClick={() => desk.setOpen(place.pointer, !open)}
        >
          <Sign of={open ? "chevronDown" : "chevronRight"} className="me-1 text-faint" />
          {label}
        </button>
      ) : group || json || isNull || drawn.kind === "boolean" || drawn.kind === "const" ? (
        <span className="min-w-0 font-medium wrap-anywhere">{label}</span>
      ) : (
        <label htmlFor={id} className={`min-w-0 font-medium wrap-anywhere ${node.deprecated ? "line-through" : ""}`}>
          {label}
        </label>
      )}
      {required && <span className="text-bad" title="required">*</span>}
      {!group && typeWord(drawn) !== "" && <span className="text-sm whitespace-nowrap text-faint">{typeWord(drawn)}</span>}
      {props.condition !== undefined && <span className="text-sm text-faint">{props.condition}</span>}
      {node.deprecated && <span className="text-sm text-faint">deprecated</span>}
      {group && !json && <span className="truncate text-sm text-faint">{summaryOf(draft)}</span>}
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
        // Stays JSON while somebody types here, also once the value fits its field again.
        desk.setJson(place.pointer, true);
        desk.edit(place, () => (next.kind === "absent" && kept ? ADDED : next));
      }}
    />
  ) : isNull ? (
    <code id={id} tabIndex={-1} className="font-mono text-sm text-dim">null</code>
  ) : (
    <NodeBody {...{ node, draft, place, marks, label, required, kept, describedBy, invalid }} />
  );
  const words = <Notes id={id} notes={notes} node={node} draft={draft} place={place} label={label} />;
  const actions = <RowActions {...props} json={json} drawnAs={drawn} />;
  // The keys work from every control inside; the controls themselves are the interactive parts.
  const keys = {
    onKeyDown: (event: React.KeyboardEvent<HTMLElement>) => {
      if (!moveByKey(desk, part, event)) moveAside(event);
    },
  };

  if (!group) {
    return (
      <div
        className={`${dimmed} group/field flex flex-col gap-1 py-2`}
        data-place={place.pointer}
        {...keys}
      >
        <div className="flex items-baseline justify-between gap-2">
          {name}
          {actions}
        </div>
        <div className="min-w-0">
          {control}
          {words}
        </div>
      </div>
    );
  }
  return (
    <fieldset
      // A layer of its own: what changes in one group is painted without the others. The one in use
      // lies on top, because its menus reach over those below.
      className={`${dimmed} isolate min-w-0 py-2 focus-within:relative focus-within:z-1`}
      data-place={place.pointer}
      id={hasOwnId ? undefined : id}
      tabIndex={-1}
      aria-describedby={describedBy}
      {...keys}
    >
      <legend className="group/field float-start flex w-full justify-between gap-2 pb-1">
        {name}
        {actions}
      </legend>
      <div className="clear-both">
        {words}
        {(json || !expandable || open || drawn !== node) && (
          <div className="border-s border-line ps-3">{control}</div>
        )}
      </div>
    </fieldset>
  );
}

/** The small buttons at the end of a row. */
function RowActions(props: RowProps & { json: boolean; drawnAs: FormNode }) {
  const { node, draft, place, label, kept = false, json, drawnAs, part } = props;
  const desk = useDesk();
  const empty = draft.kind === "absent" ? emptyOf(drawnAs) : null;
  const fallback = draft.kind === "absent" ? fallbackOf(node) : undefined;
  // The button that was pressed goes with what it did.
  const set = (value: Draft) => {
    put(desk, place, value);
    desk.focus(place.pointer);
  };
  const emptyWord = empty?.kind === "string" ? '""' : empty?.kind === "array" ? "[ ]" : "{ }";
  return (
    <span
      role="toolbar"
      aria-label={keyed(`Actions for ${label}`, keyLabel(PART_KEYS.fieldActions))}
      className={`flex max-w-1/2 shrink-0 flex-wrap justify-end gap-1 ${json ? "" : "opacity-0 group-focus-within/field:opacity-100 group-hover/field:opacity-100 [@media(hover:none)]:opacity-100"}`}
    >
      {fallback !== undefined && (
        <button
          type="button"
          {...ASIDE}
          className={BUTTON}
          title={`Set to its default ${node.secret ? "" : (valueLabels([fallback, ...node.examples])[0] ?? "")}`}
          aria-label={`Set ${label} to its default`}
          onClick={() => set(fallback)}
        >
          default
        </button>
      )}
      {empty !== null && (
        <button
          type="button"
          {...ASIDE}
          className={BUTTON}
          title="Set to empty, which is not the same as unset"
          aria-label={`Set ${label} to empty`}
          onClick={() => set(empty)}
        >
          {emptyWord}
        </button>
      )}
      {node.nullable && draft.kind !== "null" && (
        <button
          type="button"
          {...ASIDE}
          className={BUTTON}
          aria-label={`Set ${label} to null`}
          onClick={() => {
            desk.edit(place, () => NULL);
            desk.focus(place.pointer);
          }}
        >
          <code className="font-sans">null</code>
        </button>
      )}
      {draft.kind !== "absent" && place.pointer !== "" && (!kept || draft.kind === "null") && (
        <button
          type="button"
          {...ASIDE}
          className={BUTTON}
          aria-label={kept ? `Clear ${label}` : `Unset ${label}`}
          onClick={() => {
            if (kept) desk.edit(place, () => ADDED);
            else unset(desk, place);
            desk.focus(place.pointer);
          }}
        >
          {kept ? "clear" : "unset"}
        </button>
      )}
      {part !== undefined && <PartActions part={part} place={place} />}
      <button
        type="button"
        {...ASIDE}
        id={desk.idOf(place.pointer) + JSON_ENDING}
        className={`${BUTTON} font-mono`}
        title={json ? "Back to fields" : "Edit as JSON"}
        aria-label={`Edit ${label} as JSON`}
        aria-pressed={json}
        // Unfinished JSON has no field to go back to.
        disabled={json && !drawable(node, draft)}
        onClick={() => {
          desk.setJson(place.pointer, !json);
          // A group and a row of one field are other elements: the one button goes, and the other comes.
          desk.focus(place.pointer, JSON_ENDING);
        }}
      >
        {"{}"}
      </button>
    </span>
  );
}
