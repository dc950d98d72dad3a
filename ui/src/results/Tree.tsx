/** A JSON value as a tree that opens level by level. */

import { useState } from "react";

import type { Draft } from "../form/model/draft";
import { toEditableText } from "../form/model/json";
import { Button } from "../parts/Button";
import { CopyButton } from "../parts/CopyButton";

/** How many children are drawn at a time. */
const PAGE = 100;
/** Longer text is cut in the tree; it is whole in Raw. */
const TEXT_MAX = 2_000;

const COLOURS: Readonly<Partial<Record<Draft["kind"], string>>> = {
  string: "text-ok",
  number: "text-warn",
  boolean: "text-warn",
  null: "text-faint",
};

function countOf(draft: Draft): string {
  if (draft.kind === "object") return `{ ${draft.entries.size} }`;
  return draft.kind === "array" ? `[ ${draft.items.length} ]` : "";
}

function* childrenOf(draft: Draft): Generator<readonly [string, Draft]> {
  if (draft.kind === "object") yield* draft.entries;
  if (draft.kind === "array") for (const [index, item] of draft.items.entries()) yield [String(index), item];
}

export function StructuredTree({ value }: { value: Draft }) {
  return (
    <section aria-label="structured content" className="rounded-md border border-line px-2 py-1">
      <div className="flex items-start">
        <ul className="min-w-0 grow font-mono text-sm">
          <Branch name="structuredContent" value={value} />
        </ul>
        <CopyButton text={() => toEditableText(value)} what="structured content" />
      </div>
    </section>
  );
}

function Branch({ name, value }: { name: string; value: Draft }) {
  const [open, setOpen] = useState(false);
  const [room, setRoom] = useState(PAGE);
  if (value.kind !== "object" && value.kind !== "array") {
    const text = toEditableText(value);
    return (
      <li className="pl-4 [overflow-wrap:anywhere] whitespace-pre-wrap">
        <span className="text-dim">{name}: </span>
        <span className={COLOURS[value.kind]}>{text.length > TEXT_MAX ? `${text.slice(0, TEXT_MAX)}…` : text}</span>
      </li>
    );
  }
  const size = value.kind === "object" ? value.entries.size : value.items.length;
  return (
    <li>
      <button type="button" aria-expanded={open} className="text-left hover:bg-hover" onClick={() => setOpen(!open)}>
        <span aria-hidden className="inline-block w-4 text-faint">{open ? "▾" : "▸"}</span>
        <span className="text-dim">{name}</span> {countOf(value)}
      </button>
      {open && (
        <ul className="pl-4">
          {[...childrenOf(value)].slice(0, room).map(([key, held]) => (
            <Branch key={key} name={key} value={held} />
          ))}
          {size > room && (
            <li>
              <Button look="quiet" onClick={() => setRoom(room + PAGE)}>
                {Math.min(PAGE, size - room)} more of {size - room}
              </Button>
            </li>
          )}
        </ul>
      )}
    </li>
  );
}
