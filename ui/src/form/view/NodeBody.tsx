/** The control of a node: what stands beside its label. */

import { put, useDesk } from "../desk";
import type { Draft } from "../model/draft";
import { variantOf } from "../model/fit";
import type { ArrayNode, FormNode, UnionNode } from "../model/node";
import { switched } from "../model/start";
import { Ticks, tickable, ChoiceControl } from "./choices";
import { BooleanControl, BOX, ConstControl, type ControlProps, NumberControl, TextControl } from "./controls";
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
      return <ObjectRows node={node} draft={props.draft} place={props.place} />;
    case "array":
      return <ArrayBody {...props} node={node} />;
    case "union":
      return <UnionBody {...props} node={node} />;
    case "any":
      return <AnyBody {...props} />;
    case "never":
      return <p className="text-sm text-faint">The schema allows no value here.</p>;
  }
}

function AnyBody({ draft, place, label, describedBy, invalid }: ControlProps<FormNode>) {
  const desk = useDesk();
  return (
    <JsonBox
      id={desk.idOf(place.pointer)}
      label={label}
      draft={draft}
      describedBy={describedBy}
      invalid={invalid}
      onDraft={(next) => put(desk, place, next)}
    />
  );
}

function ArrayBody(props: ControlProps<ArrayNode>) {
  const { node, draft, place, label } = props;
  const desk = useDesk();
  const options = tickable(node, draft);
  if (options === null) return <ListRows node={node} draft={draft} place={place} label={label} />;
  return <Ticks options={options} draft={draft} label={label} onItems={(next: Draft) => put(desk, place, next)} />;
}

/** Kinds whose control stands ready before a variant was picked. */
const PLAIN = new Set<FormNode["kind"]>(["string", "number", "boolean", "choice"]);

function UnionBody(props: ControlProps<UnionNode>) {
  const { node, draft, place, label } = props;
  const desk = useDesk();
  const found = variantOf(node, draft);
  const first = node.variants[0]?.node();
  const shown = found ?? (draft.kind === "absent" && first !== undefined && PLAIN.has(first.kind) ? 0 : null);
  const variant = shown === null ? undefined : node.variants[shown];
  const inner = variant?.node();
  const group = inner?.kind === "object" || inner?.kind === "array";
  const open = !group || desk.isOpen(place.pointer);
  // A plain control fits beside the menu.
  const beside = inner !== undefined && PLAIN.has(inner.kind);
  return (
    <div className={beside ? "flex flex-wrap items-start gap-1" : "flex flex-col items-start gap-1"}>
      <select
        id={`${desk.idOf(place.pointer)}-variant`}
        aria-label={`Variant of ${label}`}
        className={`${BOX} max-w-full shrink-0`}
        value={shown ?? ""}
        onChange={(event) => {
          if (event.target.value === "") return;
          const to = Number(event.target.value);
          const left = desk.leftAt(place.pointer, node);
          desk.edit(place, (old) => {
            // What was typed into a variant is there again when somebody comes back to it.
            if (shown !== null && old.kind !== "absent") left.set(shown, old);
            return switched(node, old, to, left.get(to));
          });
          desk.setOpen(place.pointer, true);
        }}
      >
        {shown === null && <option value="">choose…</option>}
        {node.variants.map((one, index) => (
          <option key={index} value={index}>
            {one.label}
          </option>
        ))}
      </select>
      {variant?.description !== undefined && <p className="text-sm text-dim">{variant.description}</p>}
      {inner !== undefined && shown !== null && open && (
        <div className={beside ? "min-w-40 flex-1" : "w-full"}>
          <NodeBody {...props} node={inner} place={{ ...place, variant: shown }} />
        </div>
      )}
    </div>
  );
}
