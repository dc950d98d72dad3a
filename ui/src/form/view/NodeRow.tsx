/** One place of the arguments: its label, what can be done with it, its control, its errors. */

import type { ReactNode } from "react";

import { put, type Place, unset, useDesk } from "../desk";
import { ADDED, type Draft, NULL } from "../model/draft";
import { drawable } from "../model/fit";
import type { FormNode } from "../model/node";
import { numberProblem } from "../model/number";
import { emptyOf, fallbackOf } from "../model/start";
import { valueLabel } from "../model/words";
import { NodeBody } from "./NodeBody";
import { BUTTON } from "./controls";
import { drawnNode } from "../disclosure";
import { JsonBox } from "./JsonBox";
import { Words } from "./Words";

export interface RowProps {
  readonly node: FormNode;
  readonly draft: Draft;
  readonly place: Place;
  readonly label: string;
  readonly required: boolean;
  readonly conditional?: boolean;
  /** An item or an added key: it is removed, not unset. */
  readonly kept?: boolean;
  /** Move and remove, for items and added keys. */
  readonly actions?: ReactNode;
}

/** Whether a node is drawn as a group of rows. */
function isGroup(node: FormNode): boolean {
  return node.kind === "object" || node.kind === "array" || node.kind === "union";
}

const KIND_WORDS: Readonly<Record<Draft["kind"], string>> = {
  absent: "nothing",
  null: "null",
  boolean: "yes or no",
  number: "a number",
  string: "a text",
  array: "a list",
  object: "an object",
  raw: "unfinished JSON",
};

/** Why a place is drawn as JSON though nobody asked for it. */
function reasonForJson(node: FormNode, draft: Draft): string | null {
  if (draft.kind === "raw" || drawable(node, draft)) return null;
  if (node.kind === "never") return "The schema allows no value here.";
  if (draft.kind === "string" && node.kind === "string") {
    return "Shown as JSON: a text field would change its line ends.";
  }
  return `Shown as JSON: it holds ${KIND_WORDS[draft.kind]} that its field can't show.`;
}

function summaryOf(draft: Draft): string {
  if (draft.kind === "array") return `list · ${draft.items.length}`;
  if (draft.kind === "object") return draft.entries.size === 0 ? "empty object" : `object · ${draft.entries.size}`;
  return draft.kind === "absent" ? "unset" : "";
}

export function NodeRow(props: RowProps) {
  const { node, draft, place, label, required, kept = false } = props;
  const desk = useDesk();
  const id = desk.idOf(place.pointer);
  const json = desk.isJson(place.pointer) || !drawable(node, draft);
  const drawn = drawnNode(node, draft);
  const group = isGroup(node);
  const told = desk.problems.get(place.pointer) ?? [];
  const typed = draft.kind === "number" ? numberProblem(draft.text) : null;
  const problems = typed === null || told.includes(typed) ? told : [typed, ...told];
  const warnings = [...node.warnings, ...(drawn === node ? [] : drawn.warnings)];
  const reason = reasonForJson(node, draft);
  const constraints = node === drawn ? node.constraints : [...node.constraints, ...drawn.constraints];
  const description = [node.title !== undefined && node.title !== label ? `${node.title}.` : "", node.description ?? ""]
    .filter((part) => part !== "")
    .join(" ");
  const describedBy =
    [
      description === "" ? "" : `${id}-about`,
      constraints.length === 0 ? "" : `${id}-limits`,
      problems.length === 0 ? "" : `${id}-wrong`,
    ]
      .filter((part) => part !== "")
      .join(" ") || undefined;
  const invalid = problems.length > 0;
  const expandable = (drawn.kind === "object" || drawn.kind === "array") && !json && draft.kind !== "null";
  const open = desk.isOpen(place.pointer);
  // A JSON box, a null and the plain variant of a union have the id themselves.
  const hasOwnId = json || draft.kind === "null" || (node.kind === "union" && !expandable);

  const name = (
    <span className={`flex min-w-0 items-baseline gap-1 ${group ? "" : "pt-0.75"}`}>
      {expandable ? (
        <button
          type="button"
          className="truncate text-left font-mono text-sm"
          aria-expanded={open}
          onClick={() => desk.setOpen(place.pointer, !open)}
        >
          <span aria-hidden="true" className="text-faint">{open ? "▾ " : "▸ "}</span>
          {label}
        </button>
      ) : group || json || draft.kind === "null" || drawn.kind === "boolean" || drawn.kind === "const" ? (
        <span className="truncate font-mono text-sm">{label}</span>
      ) : (
        <label htmlFor={id} className={`truncate font-mono text-sm ${node.deprecated ? "line-through" : ""}`}>
          {label}
        </label>
      )}
      {required && <span className="text-bad" title="required">*</span>}
      {props.conditional === true && <span className="text-sm text-faint">conditional</span>}
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
  ) : draft.kind === "null" ? (
    <code id={id} tabIndex={-1} className="font-mono text-sm text-dim">null</code>
  ) : (
    <NodeBody {...{ node, draft, place, label, required, kept, describedBy, invalid }} />
  );

  const notes = (
    <>
      {description !== "" && <Words id={`${id}-about`} text={description} />}
      {constraints.length > 0 && (
        <p id={`${id}-limits`} className="truncate text-sm text-faint" title={constraints.join(" · ")}>
          {constraints.join(" · ")}
        </p>
      )}
      {warnings.length > 0 && <p className="text-sm text-warn">▲ {warnings.join(" ")}</p>}
      {reason !== null && <p className="text-sm text-warn">{reason}</p>}
      {problems.length > 0 && (
        <p id={`${id}-wrong`} className="text-sm text-bad">✕ {problems.join(" ")}</p>
      )}
    </>
  );
  const actions = <RowActions {...props} json={json} drawnAs={drawn} />;

  if (!group) {
    return (
      <div className="grid grid-cols-[minmax(6rem,28%)_minmax(0,1fr)_7.5rem] items-start gap-x-2 py-1" data-place={place.pointer}>
        {name}
        <div className="min-w-0">
          {control}
          {notes}
        </div>
        {actions}
      </div>
    );
  }
  return (
    <fieldset className="min-w-0 py-1" data-place={place.pointer} id={hasOwnId ? undefined : id} tabIndex={-1} aria-describedby={describedBy}>
      <legend className="float-left flex w-full justify-between gap-2 pb-0.5">
        {name}
        {actions}
      </legend>
      <div className="clear-both">
        {notes}
        {(json || !expandable || open || drawn !== node) && (
          <div className="border-l border-line pl-3">{control}</div>
        )}
      </div>
    </fieldset>
  );
}

/** The small buttons at the end of a row. */
function RowActions(props: RowProps & { json: boolean; drawnAs: FormNode }) {
  const { node, draft, place, label, kept = false, json, drawnAs } = props;
  const desk = useDesk();
  const empty = draft.kind === "absent" ? emptyOf(drawnAs) : null;
  const fallback = draft.kind === "absent" ? fallbackOf(node) : undefined;
  const emptyWord = empty?.kind === "string" ? '""' : empty?.kind === "array" ? "[ ]" : "{ }";
  return (
    <span className="flex shrink-0 flex-wrap justify-end gap-1 pt-0.75">
      {fallback !== undefined && (
        <button
          type="button"
          className={BUTTON}
          title={`Set to its default ${node.secret ? "" : valueLabel(fallback)}`}
          aria-label={`Set ${label} to its default`}
          onClick={() => put(desk, place, fallback)}
        >
          default
        </button>
      )}
      {empty !== null && (
        <button
          type="button"
          className={BUTTON}
          title="Set to empty, which is not the same as unset"
          aria-label={`Set ${label} to empty`}
          onClick={() => put(desk, place, empty)}
        >
          {emptyWord}
        </button>
      )}
      {node.nullable && draft.kind !== "null" && (
        <button type="button" className={BUTTON} aria-label={`Set ${label} to null`} onClick={() => desk.edit(place, () => NULL)}>
          null
        </button>
      )}
      {draft.kind !== "absent" && place.pointer !== "" && (!kept || draft.kind === "null") && (
        <button
          type="button"
          className={BUTTON}
          aria-label={kept ? `Clear ${label}` : `Unset ${label}`}
          onClick={() => (kept ? desk.edit(place, () => ADDED) : unset(desk, place))}
        >
          {kept ? "clear" : "unset"}
        </button>
      )}
      {props.actions}
      <button
        type="button"
        className={`${BUTTON} font-mono`}
        title={json ? "Back to fields" : "Edit as JSON"}
        aria-label={`Edit ${label} as JSON`}
        aria-pressed={json}
        // Unfinished JSON has no field to go back to.
        disabled={json && !drawable(node, draft)}
        onClick={() => {
          desk.setJson(place.pointer, !json);
        }}
      >
        {"{}"}
      </button>
    </span>
  );
}
