/** Selects the control that edits a node's value. The control is shown below the row's label. */

import { useMemo, useState } from "react";

import { Select } from "../../../components/Select";
import { put, useFormCommands } from "../commands";
import { ADDED, type Draft, picked } from "../model/draft";
import { drawable, variantOf } from "../model/fit";
import { ANY_KINDS, anyDrawn, kindOf } from "../model/anything";
import type { AnyNode, ArrayNode, FormNode, UnionNode } from "../model/node";
import { tickable } from "../model/places";
import { initialDraft, switched } from "../model/start";
import { ASIDE } from "./aside";
import { ChoiceControl, Ticks } from "./choices";
import { BooleanControl, BUTTON, ConstControl, type ControlProps, NumberControl, TextControl } from "./controls";
import { JsonBox } from "./JsonBox";
import { ListRows } from "./ListRows";
import { ObjectRows } from "./ObjectRows";

export function NodeBody(props: ControlProps<FormNode>) {
  const { node } = props;
  switch (node.kind) {
    case "string":
      return <TextControl {...props} node={node} />;
    case "number":
      return <NumberControl {...props} node={node} />;
    case "boolean":
      return <BooleanControl {...props} node={node} />;
    case "choice":
      return <ChoiceControl {...props} node={node} />;
    case "const":
      return <ConstControl {...props} node={node} />;
    case "object":
      return <ObjectRows node={node} draft={props.draft} place={props.place} marks={props.marks} />;
    case "array":
      return <ArrayBody {...props} node={node} />;
    case "union":
      return <UnionBody {...props} node={node} />;
    case "any":
      return <AnyBody {...props} node={node} />;
    case "never":
      return <p className="text-sm text-faint">The schema allows no value here.</p>;
  }
}

/** The control for a value without a schema: a JSON editor, or the control of a kind that the user picks. */
function AnyBody(props: ControlProps<AnyNode>) {
  const { node, draft, place, marks, label, kept, describedBy, invalid } = props;
  const form = useFormCommands();
  const id = form.idOf(place.pointer);
  const box = (
    <JsonBox
      id={id}
      label={label}
      draft={draft}
      describedBy={describedBy}
      invalid={invalid}
      onDraft={(next) => put(form, place, next.kind === "absent" && kept ? ADDED : next)}
    />
  );
  // Inside a union, the draft's picked variant belongs to the union, so no kind can be picked.
  if (place.variant !== undefined) return box;
  const drawn = anyDrawn(node, draft);
  const group = drawn.kind === "object" || drawn.kind === "array";
  return (
    <div className={group ? "flex flex-col items-start gap-1" : "flex items-start gap-1"}>
      <Select
        id={`${id}-variant`}
        aria-label={`Kind of ${label}`}
        className="h-8! max-w-full shrink-0"
        value={String(kindOf(draft))}
        options={ANY_KINDS.map((one, index) => ({ value: String(index), label: one.label }))}
        onValue={(value) => {
          const kind = Number(value);
          const target = ANY_KINDS[kind]?.node ?? node;
          form.edit(place, (old) => {
            if (kind === 0 || (old.kind !== "absent" && drawable(target, old))) return picked(old, kind);
            const start = initialDraft(target);
            return picked(start.kind === "absent" && kept ? ADDED : start, kind);
          });
          form.setOpen(place.pointer, true);
          // Picking a kind may turn a row into a group or back, which remounts the menu, so the focus is restored.
          form.focus(place.pointer, "-variant");
        }}
      />
      <div className={group ? "w-full" : "min-w-40 flex-1"}>
        {drawn.kind === "any" ? box : (!group || marks.open.has(place.pointer)) && <NodeBody {...props} node={drawn} />}
      </div>
    </div>
  );
}

function ArrayBody(props: ControlProps<ArrayNode>) {
  const { node, draft, place, label } = props;
  const form = useFormCommands();
  const options = tickable(node, draft);
  const [asRows, setAsRows] = useState(false);
  if (options === null || asRows) {
    return <ListRows node={node} draft={draft} place={place} marks={props.marks} label={label} />;
  }
  return (
    <>
      <Ticks options={options} draft={draft} label={label} repeats={!node.unique} onItems={(next: Draft) => put(form, place, next)} />
      {!node.unique && (
        <button
          type="button"
          {...ASIDE}
          className={BUTTON}
          aria-label={`Show ${label} as a list of items`}
          onClick={() => {
            setAsRows(true);
            form.setOpen(place.pointer, true);
            form.focus(place.pointer);
          }}
        >
          Change the order
        </button>
      )}
    </>
  );
}

/**
 * Kinds with a single-value control. If the first variant has such a kind, its control is shown before the user picks a
 * variant.
 */
const PLAIN = new Set<FormNode["kind"]>(["string", "number", "boolean", "choice"]);

function UnionBody(props: ControlProps<UnionNode>) {
  const { node, draft, place, marks, label } = props;
  const form = useFormCommands();
  const found = variantOf(node, draft);
  const first = node.variants[0]?.node();
  const shown = found ?? (draft.kind === "absent" && first !== undefined && PLAIN.has(first.kind) ? 0 : null);
  const variant = shown === null ? undefined : node.variants[shown];
  const inside = useMemo(() => (shown === null ? place : { ...place, variant: shown }), [place, shown]);
  const inner = variant?.node();
  const group = inner?.kind === "object" || inner?.kind === "array";
  const open = !group || marks.open.has(place.pointer);
  // Single-value controls are small enough to be shown beside the variant menu.
  const beside = inner !== undefined && PLAIN.has(inner.kind);
  return (
    <div className={beside ? "flex flex-wrap items-start gap-1" : "flex flex-col items-start gap-1"}>
      <Select
        id={`${form.idOf(place.pointer)}-variant`}
        aria-label={`Variant of ${label}`}
        className="h-8! max-w-full shrink-0"
        value={String(shown ?? "")}
        placeholder="Choose…"
        options={node.variants.map((one, index) => ({ value: String(index), label: one.label }))}
        onValue={(value) => {
          const to = Number(value);
          const left = form.leftAt(place.pointer, node);
          form.edit(place, (old) => {
            // Remembers the value, so that picking this variant again restores it.
            if (shown !== null && old.kind !== "absent") left.set(shown, old);
            return switched(node, old, to, left.get(to));
          });
          form.setOpen(place.pointer, true);
        }}
      />
      {variant?.description !== undefined && <p className="text-sm text-dim">{variant.description}</p>}
      {inner !== undefined && shown !== null && open && (
        <div className={beside ? "min-w-40 flex-1" : "w-full"}>
          <NodeBody {...props} node={inner} place={inside} />
        </div>
      )}
    </div>
  );
}
