/** The rows of an object's fields: required fields first, then optional fields with a value, then the others. */

import { type FocusEvent, useMemo, useState } from "react";

import { Sign } from "../../../components/Icon";
import { Select } from "../../../components/Select";
import { number } from "../../../lib/format";
import { below, type Marks, type Place, put, useFormCommands } from "../commands";
import { pageOf, shownFields } from "../disclosure";
import { evaluated, fieldStateOf } from "../model/conditions";
import { childOf, type Draft, object } from "../model/draft";
import { extraNode } from "../model/fit";
import { anyNode, type ExtraKeys, type Field, type ObjectNode, SILENT } from "../model/node";
import { placeName } from "../model/pointer";
import { addedOf, emptyOf } from "../model/start";
import { BOX, BUTTON, LINE } from "./controls";
import { useRow } from "./row";
import type { Part } from "./RowParts";
import { useRowKeys } from "./rowKeys";

/** An object with more optional fields than this has a filter input. */
const FILTER_FROM = 12;

/** The node of a key that the schema does not allow. The key is shown, and validation reports it. */
const UNDECLARED = anyNode(SILENT, "The schema does not declare this key.");

const NO_KEYS: ReadonlySet<string> = new Set();
/** The Optional section is expanded at first if it has at most this number of fields. */
const OPTIONAL_OPEN_MAX = 6;

interface Props {
  readonly node: ObjectNode;
  readonly draft: Draft;
  readonly place: Place;
  readonly marks: Marks;
}

/** Whether the revealed pointer is this pointer or below it. */
function isOnTheWay(revealed: string, pointer: string): boolean {
  return revealed === pointer || revealed.startsWith(`${pointer}/`);
}

function isSetIn(draft: Draft, field: Field): boolean {
  return childOf(draft, field.key).kind !== "absent";
}

export function ObjectRows({ node, draft, place, marks }: Props) {
  const NodeRow = useRow();
  const [words, setWords] = useState("");
  const [pages, setPages] = useState(1);
  const page = pageOf(place.pointer);
  const placeOf = ({ key }: Field) => below(place, key, node.order);
  const rules = evaluated(node.rules, draft);
  const stateOf = (field: Field) => {
    const { required, by, applies } = fieldStateOf(field, rules);
    if (applies === false) return { required, idle: true, condition: "does not apply now" };
    if (by.length > 0) return { required, condition: `required by ${by.join(", ")}` };
    return { required, condition: field.conditional && applies === null ? "conditional" : undefined };
  };
  const row = (field: Field) => (
    <NodeRow
      key={field.key}
      node={field.node()}
      draft={childOf(draft, field.key)}
      place={placeOf(field)}
      marks={marks}
      label={field.key === "" ? "“”" : field.key}
      {...stateOf(field)}
    />
  );
  const isRevealed = (field: Field) => marks.revealed !== null && isOnTheWay(marks.revealed, placeOf(field).pointer);
  const isSet = (field: Field) => isSetIn(draft, field) || fieldStateOf(field, rules).required;

  const required = node.fields.filter((field) => field.required);
  const optional = node.fields.filter((field) => !field.required);
  const wanted = words.trim().toLowerCase();
  const found = optional.filter((field) => wanted === "" || field.key.toLowerCase().includes(wanted));
  // A field that once had a value keeps its row, so that clearing it removes neither the row nor the focus.
  const [kept, setKept] = useState<ReadonlySet<string>>(NO_KEYS);
  const isAsked = (field: Field) => isRevealed(field) || kept.has(field.key);
  const shown = shownFields([...required, ...found], pages * page, isSet, isAsked);
  const filled = [...shown.required, ...shown.optional].filter((field) => !kept.has(field.key) && isSet(field));
  if (filled.length > 0) setKept(new Set([...kept, ...filled.map(({ key }) => key)]));
  const hidden = required.length - shown.required.length + found.length - shown.optional.length;
  const root = place.pointer === "";
  /**
   * The keys of optional fields shown above the Optional section: those set at first, and those set while the section
   * is collapsed.
   */
  const [above, setAbove] = useState<ReadonlySet<string>>(() => new Set(root ? optional.filter((field) => isSetIn(draft, field)).map(({ key }) => key) : []));
  const rest = optional.length - above.size;
  const [opened, setOpened] = useState(rest <= OPTIONAL_OPEN_MAX || required.length + above.size === 0);
  const isOpen = opened || !root;
  const risen = isOpen ? [] : shown.optional.filter((field) => !above.has(field.key) && (isSet(field) || isAsked(field)));
  if (risen.length > 0) setAbove(new Set([...above, ...risen.map(({ key }) => key)]));
  const isBare = node.extra === null || (node.extra.untyped && node.extra.patterns.length === 0 && node.warnings.length === 0);
  const hasOthers = draft.kind === "object" && draft.entries.size > 0;
  return (
    <>
      {shown.required.map(row)}
      {shown.optional.filter(({ key }) => above.has(key)).map(row)}
      {root && rest > 0 && (
        <h3 className={required.length + above.size > 0 ? "mt-2 border-t border-line pt-3 pb-1" : "pt-3 pb-1"}>
          <button type="button" className="rounded-sm font-semibold" aria-expanded={isOpen} onClick={() => setOpened(!isOpen)}>
            <Sign of={isOpen ? "chevronDown" : "chevronRight"} className="me-1.5" />
            Optional <span className="font-normal text-faint">{number(rest)}</span>
          </button>
        </h3>
      )}
      {isOpen && (
        <>
          {optional.length > FILTER_FROM && (
            <input
              type="search"
              className={LINE}
              value={words}
              placeholder={`Filter ${number(optional.length)} optional fields`}
              aria-label="Filter optional fields"
              onChange={(event) => setWords(event.target.value)}
              onKeyDown={(event) => {
                if (event.key === "Enter" && !event.ctrlKey && !event.metaKey) event.preventDefault();
              }}
            />
          )}
          {shown.optional.filter(({ key }) => !above.has(key)).map(row)}
        </>
      )}
      {hidden > 0 && isOpen && (
        <button type="button" className={BUTTON} onClick={() => setPages(pages + 1)}>
          Show {number(Math.min(hidden, page))} more of {number(hidden)}
        </button>
      )}
      <OtherKeys node={node} draft={draft} place={place} marks={marks} />
      {root && node.fields.length === 0 && isBare && !hasOthers && !marks.adding.has("") && (
        <p data-testid="no-arguments" className="py-3 text-dim">This tool takes no arguments.</p>
      )}
    </>
  );
}

/** The rows of keys that no field declares, and the input that adds such a key. */
function OtherKeys({ node, draft, place, marks }: Props) {
  const NodeRow = useRow();
  const [pages, setPages] = useState(1);
  const page = pageOf(place.pointer);
  const declared = new Set(node.order);
  const others = draft.kind === "object" ? [...draft.entries.keys()].filter((key) => !declared.has(key)) : [];
  const rows = useRowKeys(others);
  const rowOf = new Map(others.map((key, index) => [key, rows[index]]));
  const names = JSON.stringify(others);
  const parts = useMemo(
    () => new Map((JSON.parse(names) as string[]).map((name): [string, Part] => [name, { kind: "key", name, around: place, order: node.order }])),
    [names, place, node.order],
  );
  const { revealed } = marks;
  const shown = others.filter(
    (key, index) => index < pages * page || (revealed !== null && isOnTheWay(revealed, below(place, key).pointer)),
  );
  return (
    <>
      {shown.map((key) => {
        const held = childOf(draft, key);
        return (
          <NodeRow
            // The React key is not the name, so that a row is not remounted when its key is renamed.
            key={rowOf.get(key)}
            node={extraNode(node.extra, key, held) ?? UNDECLARED}
            draft={held}
            place={below(place, key)}
            marks={marks}
            label={key === "" ? "“”" : key}
            required={false}
            kept
            part={parts.get(key)}
          />
        );
      })}
      {others.length > shown.length && (
        <button type="button" className={BUTTON} onClick={() => setPages(pages + 1)}>
          Show {number(others.length - shown.length)} more keys
        </button>
      )}
      {node.extra !== null && <AddKey node={node} extra={node.extra} draft={draft} place={place} asked={marks.adding.has(place.pointer)} />}
    </>
  );
}

/** Adds a key that no field declares. `asked`: whether the user opened this input from a menu or a button. */
function AddKey({ node, extra, draft, place, asked }: Omit<Props, "marks"> & { extra: ExtraKeys; asked: boolean }) {
  const form = useFormCommands();
  const [name, setName] = useState("");
  const [pattern, setPattern] = useState(extra.open === null ? "0" : "");
  const [taken, setTaken] = useState(false);
  const id = `${form.idOf(place.pointer)}-add`;
  const add = () => {
    if (node.order.includes(name) || (draft.kind === "object" && draft.entries.has(name))) {
      setTaken(true);
      return;
    }
    const chosen = pattern === "" ? extra.open : extra.patterns[Number(pattern)]?.node;
    const inner = chosen?.();
    if (inner === undefined) return;
    put(form, below(place, name), addedOf(inner));
    form.setOpen(below(place, name).pointer, true);
    setName("");
  };
  // Adds the typed name on blur, so that the key is not silently missing from the call.
  const leave = (event: FocusEvent) => {
    const stays = event.relatedTarget instanceof Node && event.currentTarget.contains(event.relatedTarget);
    if (!stays && name !== "") add();
  };
  const isOpenMap = !extra.untyped || extra.patterns.length > 0;
  // At the root, a schema without fields and without warnings means a tool without arguments.
  const isAlone = node.fields.length === 0 && (place.pointer !== "" || node.warnings.length > 0);
  if (!asked && !isAlone && !(isOpenMap && node.fields.length === 0)) {
    return isOpenMap ? (
      <button type="button" className={BUTTON} aria-label={`Add a key to ${placeName(place.pointer)}`} onClick={() => form.addKey(place.pointer)}>
        <Sign of="plus" className="me-1" />
        Add key
      </button>
    ) : null;
  }
  return (
    // The blur handler only detects when the focus leaves all controls inside.
    <div className="flex flex-wrap items-center gap-1 py-1" onBlur={leave}>
      {extra.patterns.length > 0 && (
        <Select
          aria-label="Kind of key"
          className="h-8!"
          value={pattern}
          options={[...(extra.open === null ? [] : [{ value: "", label: "Any other key" }]), ...extra.patterns.map((one, index) => ({ value: String(index), label: one.pattern }))]}
          onValue={setPattern}
        />
      )}
      <input
        id={id}
        aria-label="Name of the new key"
        aria-invalid={taken}
        placeholder={extra.names ?? (place.pointer === "" ? "Name of the argument" : "Key")}
        className={`${BOX} w-40`}
        value={name}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => {
          setName(event.target.value);
          setTaken(false);
        }}
        onKeyDown={(event) => {
          if (event.key === "Escape" && name !== "") {
            event.stopPropagation();
            setName("");
            setTaken(false);
          }
          if (event.key !== "Enter" || event.ctrlKey || event.metaKey || event.altKey) return;
          // With an empty name, Enter bubbles to the form, which runs the tool.
          if (name === "") return;
          event.preventDefault();
          add();
        }}
      />
      <button
        type="button"
        className={BUTTON}
        disabled={name === ""}
        onClick={() => {
          add();
          // The button is disabled while the name is empty, so the focus moves to the input.
          form.focus(place.pointer, "-add");
        }}
      >
        Add key
      </button>
      {draft.kind === "absent" && node.fields.length === 0 && place.pointer !== "" && (
        <button
          type="button"
          className={BUTTON}
          onClick={() => {
            put(form, place, emptyOf(node) ?? object());
            form.focus(place.pointer, "-add");
          }}
        >
          Send empty object
        </button>
      )}
      {taken && (
        <span role="alert" className="text-sm text-bad">
          This key already exists.
        </span>
      )}
    </div>
  );
}
