/** The fields of an object: required ones first, then those with a value, then the rest. */

import { useState } from "react";

import { below, type Place, put, unset, useDesk } from "../desk";
import { PAGE } from "../disclosure";
import { childOf, type Draft, object, renamed } from "../model/draft";
import { extraNode } from "../model/fit";
import { anyNode, type ExtraKeys, type Field, type ObjectNode, SILENT } from "../model/node";
import { placeName } from "../model/pointer";
import { addedOf, emptyOf } from "../model/start";
import { BOX, BUTTON, INPUT } from "./controls";
import { NodeRow } from "./NodeRow";

/** With more optional fields than this there is a filter. */
const FILTER_FROM = 12;

/** For a key that the schema does not allow: it is shown, and the checker complains of it. */
const UNDECLARED = anyNode(SILENT, "The schema does not declare this key.");

interface Props {
  readonly node: ObjectNode;
  readonly draft: Draft;
  readonly place: Place;
}

export function ObjectRows({ node, draft, place }: Props) {
  const desk = useDesk();
  const [words, setWords] = useState("");
  const [pages, setPages] = useState(1);
  const row = (field: Field) => {
    const inner = below(place, field.key, node.order);
    return (
      <NodeRow
        key={field.key}
        node={field.node()}
        draft={childOf(draft, field.key)}
        place={inner}
        label={field.key === "" ? "“”" : field.key}
        required={field.required}
        conditional={field.conditional}
      />
    );
  };
  const isRevealed = (field: Field) => {
    const { pointer } = below(place, field.key);
    return desk.revealed === pointer || desk.revealed?.startsWith(`${pointer}/`) === true;
  };
  const isSet = (field: Field) => childOf(draft, field.key).kind !== "absent" || isRevealed(field);

  const required = node.fields.filter((field) => field.required);
  const optional = node.fields.filter((field) => !field.required);
  const wanted = words.trim().toLowerCase();
  const found = optional.filter((field) => wanted === "" || field.key.toLowerCase().includes(wanted));
  const room = pages * PAGE;
  // Required fields come first; among the others those with a value are never behind a button.
  const shownRequired = required.filter((field, index) => index < room || isRevealed(field));
  const left = Math.max(0, room - shownRequired.length);
  const kept = new Set([...found.filter(isSet), ...found].slice(0, Math.max(left, 0)));
  const shownOptional = found.filter((field) => kept.has(field) || isRevealed(field));
  const hidden = required.length - shownRequired.length + found.length - shownOptional.length;
  const root = place.pointer === "";
  return (
    <>
      {root && required.length > 0 && <h3 className="pt-2 text-sm font-semibold text-faint">REQUIRED</h3>}
      {shownRequired.map(row)}
      {root && optional.length > 0 && (
        <h3 className="pt-2 text-sm font-semibold text-faint">OPTIONAL ({optional.length})</h3>
      )}
      {optional.length > FILTER_FROM && (
        <input
          type="search"
          className={INPUT}
          value={words}
          placeholder={`filter ${optional.length} optional fields`}
          aria-label="Filter optional fields"
          onChange={(event) => setWords(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === "Enter" && !event.ctrlKey && !event.metaKey) event.preventDefault();
          }}
        />
      )}
      {shownOptional.map(row)}
      {hidden > 0 && (
        <button type="button" className={BUTTON} onClick={() => setPages(pages + 1)}>
          show {Math.min(hidden, PAGE)} more of {hidden}
        </button>
      )}
      <OtherKeys node={node} draft={draft} place={place} />
      {node.fields.length === 0 && node.extra === null && <p className="text-dim">No arguments.</p>}
    </>
  );
}

/** Keys that no field declares, and the way to add one. */
function OtherKeys({ node, draft, place }: Props) {
  const desk = useDesk();
  const [pages, setPages] = useState(1);
  const declared = new Set(node.order);
  const others = draft.kind === "object" ? [...draft.entries.keys()].filter((key) => !declared.has(key)) : [];
  const shown = others.slice(0, pages * PAGE);
  return (
    <>
      {shown.map((key, index) => {
        const held = childOf(draft, key);
        const inner = below(place, key);
        const rename = (to: string) => {
          desk.edit(place, (old) => (old.kind === "object" ? renamed(old, key, to) : old));
        };
        return (
          <NodeRow
            // The place in the order, so that renaming a key leaves its row where it is.
            key={index}
            node={extraNode(node.extra, key, held) ?? UNDECLARED}
            draft={held}
            place={inner}
            label={key === "" ? "“”" : key}
            required={false}
            kept
            actions={
              <>
                <RenameKey name={key} taken={(name) => declared.has(name) || others.includes(name)} onRename={rename} />
                <button type="button" className={BUTTON} aria-label={`Remove ${key}`} onClick={() => unset(desk, inner)}>
                  ✕
                </button>
              </>
            }
          />
        );
      })}
      {others.length > shown.length && (
        <button type="button" className={BUTTON} onClick={() => setPages(pages + 1)}>
          show more keys ({others.length - shown.length})
        </button>
      )}
      {node.extra !== null && <AddKey node={node} extra={node.extra} draft={draft} place={place} />}
    </>
  );
}

function RenameKey(props: { name: string; taken: (name: string) => boolean; onRename: (to: string) => void }) {
  const [typed, setTyped] = useState<string | null>(null);
  const taken = typed !== null && typed !== props.name && props.taken(typed);
  if (typed === null) {
    return (
      <button type="button" className={BUTTON} aria-label={`Rename ${props.name}`} onClick={() => setTyped(props.name)}>
        ✎
      </button>
    );
  }
  const finish = () => {
    if (!taken) props.onRename(typed);
    setTyped(null);
  };
  return (
    <input
      aria-label={`New name of ${props.name}`}
      aria-invalid={taken}
      title={taken ? "This key is taken" : undefined}
      className={`${BOX} w-28`}
      value={typed}
      onChange={(event) => setTyped(event.target.value)}
      onBlur={finish}
      onKeyDown={(event) => {
        if (event.key === "Escape") {
          event.stopPropagation();
          setTyped(null);
        }
        if (event.key !== "Enter" || event.ctrlKey || event.metaKey) return;
        event.preventDefault();
        finish();
      }}
    />
  );
}

function AddKey({ node, extra, draft, place }: Props & { extra: ExtraKeys }) {
  const desk = useDesk();
  const [name, setName] = useState("");
  const [pattern, setPattern] = useState(extra.open === null ? "0" : "");
  const [taken, setTaken] = useState(false);
  // Beside declared fields another key is the exception; its box waits for a click.
  const [asked, setAsked] = useState(node.fields.length === 0);
  const id = `${desk.idOf(place.pointer)}-add`;
  const add = () => {
    if (node.order.includes(name) || (draft.kind === "object" && draft.entries.has(name))) {
      setTaken(true);
      return;
    }
    const chosen = pattern === "" ? extra.open : extra.patterns[Number(pattern)]?.node;
    const inner = chosen?.();
    if (inner === undefined) return;
    put(desk, below(place, name), addedOf(inner));
    setName("");
  };
  if (!asked) {
    return (
      <button
        type="button"
        className={BUTTON}
        aria-label={`Add a key to ${placeName(place.pointer)}`}
        onClick={() => setAsked(true)}
      >
        + key
      </button>
    );
  }
  return (
    <div className="flex flex-wrap items-center gap-1 py-1">
      {extra.patterns.length > 0 && (
        <select
          aria-label="Kind of key"
          className={BOX}
          value={pattern}
          onChange={(event) => setPattern(event.target.value)}
        >
          {extra.open !== null && <option value="">any other key</option>}
          {extra.patterns.map((one, index) => (
            <option key={one.pattern} value={index}>
              {one.pattern}
            </option>
          ))}
        </select>
      )}
      <input
        id={id}
        aria-label="Name of the new key"
        aria-invalid={taken}
        placeholder={extra.names ?? (extra.untyped ? "another key" : "key")}
        className={`${BOX} w-40`}
        value={name}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => {
          setName(event.target.value);
          setTaken(false);
        }}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || event.ctrlKey || event.metaKey) return;
          event.preventDefault();
          if (name !== "") add();
        }}
      />
      <button type="button" className={BUTTON} disabled={name === ""} onClick={add}>
        Add key
      </button>
      {draft.kind === "absent" && node.fields.length === 0 && place.pointer !== "" && (
        <button type="button" className={BUTTON} onClick={() => put(desk, place, emptyOf(node) ?? object())}>
          empty
        </button>
      )}
      {taken && (
        <span role="alert" className="text-sm text-bad">
          This key is there already.
        </span>
      )}
    </div>
  );
}
