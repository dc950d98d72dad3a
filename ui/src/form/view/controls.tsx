/** The controls of single values: text, number, yes or no, a fixed value. */

import { type ClipboardEvent, type CSSProperties, type KeyboardEvent, useLayoutEffect, useRef, useState } from "react";

import { MASK } from "../../parts/mask";
import { type Marks, put, type Place, useDesk } from "../desk";
import { ABSENT, ADDED, type Draft, flag, number, text } from "../model/draft";
import type { BooleanNode, ConstNode, NumberNode, StringNode } from "../model/node";
import { aidOf, isLong, rowsOf } from "../model/aids";
import { looksLike } from "../model/formats";
import { placeName } from "../model/pointer";
import { fallbackOf } from "../model/start";
import { valueLabel } from "../model/labels";
import { FileChooser, TextAid } from "./aids";

const exampleWords = (value: string) => `e.g. ${value}`;

/** What a control is told by the row around it. */
export interface ControlProps<Node> {
  readonly node: Node;
  readonly draft: Draft;
  readonly place: Place;
  readonly marks: Marks;
  readonly label: string;
  readonly required: boolean;
  /** An item or an added key: clearing it leaves it in its place. */
  readonly kept: boolean;
  readonly describedBy: string | undefined;
  readonly invalid: boolean;
}

export const BOX =
  "min-w-0 rounded-sm border border-line-strong bg-bg px-2.5 py-1.25 text-text placeholder:font-sans placeholder:text-faint aria-invalid:border-bad";
export const INPUT = `${BOX} w-full`;
/** A field of one line. Its size does not hang on its text, so a key press lays out the field and not the form. */
export const LINE = `${INPUT} block h-8 contain-strict`;
/** The same for a field of as many lines as `--rows` says, unless somebody drags it to another size. */
const LINES = `${INPUT} h-[calc(var(--rows)*20px+12px)] contain-strict`;
export const BUTTON =
  "rounded-sm border border-line px-1.5 text-sm text-dim hover:bg-hover hover:text-text disabled:opacity-50";

/** The spoken name of a control whose label alone would not tell it from others. */
export function nameOf(place: Place): string | undefined {
  return place.steps.length === 1 && place.variant === undefined ? undefined : placeName(place.pointer);
}

function placeholderOf(node: StringNode | NumberNode, draft: Draft): string {
  if (draft.kind === "string") return "empty text";
  const fallback = fallbackOf(node);
  if (fallback !== undefined) return `default: ${node.secret ? MASK : valueLabel(fallback, 60)}`;
  const [example] = node.examples;
  if (example !== undefined) return exampleWords(valueLabel(example, 60));
  return node.kind === "string" && node.hint !== undefined ? exampleWords(node.hint) : "";
}

/** The field that a text belongs to: its own, or that of the list which it is an item of. */
function nameIn(place: Place): string {
  for (let index = place.steps.length - 1; index >= 0; index -= 1) {
    const key = place.steps[index]?.key;
    if (typeof key === "string") return key;
  }
  return "";
}

/** How many characters a line of a field has, more or less, and how many lines it grows to. */
const LINE_CHARACTERS = 70;
const ROWS_MAX = 16;
/** Which keys a touch keyboard shows. */
const INPUT_MODES: Readonly<Record<string, "url" | "email">> = { uri: "url", url: "url", iri: "url", email: "email" };

/** A text: one line until it has more. */
export function TextControl(props: ControlProps<StringNode>) {
  const { node, draft, place, kept } = props;
  const desk = useDesk();
  const value = draft.kind === "string" ? draft.value : "";
  const key = nameIn(place);
  const long = node.style !== "line" || isLong(node, key);
  const aid = aidOf(node, key, desk.around);
  // Once there were several lines the field stays tall, so that typing is not interrupted.
  const [tall, setTall] = useState(long);
  const several = tall || value.includes("\n");
  const field = useRef<HTMLInputElement & HTMLTextAreaElement>(null);
  const caret = useRef<number | null>(null);
  const [shown, setShown] = useState(false);
  // Nobody is told that half a date is no date.
  const [focused, setFocused] = useState(false);
  const doubtful = !focused && !looksLike(node.format, value);
  const id = desk.idOf(place.pointer);

  useLayoutEffect(() => {
    if (caret.current === null || field.current === null) return;
    field.current.focus();
    field.current.setSelectionRange(caret.current, caret.current);
    caret.current = null;
  }, [several, value]);

  const change = (next: string) => {
    // An item that was cleared has no value; that it is empty is for a person to say.
    put(desk, place, next !== "" ? text(next) : kept ? ADDED : ABSENT);
  };
  // A single-line field of the browser drops line breaks without a word; this one grows.
  const insert = (inserted: string) => {
    const start = field.current?.selectionStart ?? value.length;
    const end = field.current?.selectionEnd ?? value.length;
    caret.current = start + inserted.length;
    setTall(true);
    change(value.slice(0, start) + inserted + value.slice(end));
  };
  const shared = {
    id,
    ref: field,
    value,
    placeholder: placeholderOf(node, draft),
    "aria-label": nameOf(place),
    "aria-describedby": doubtful ? `${props.describedBy ?? ""} ${id}-looks`.trim() : props.describedBy,
    "aria-invalid": props.invalid,
    "aria-required": props.required,
    autoComplete: "off",
    spellCheck: false,
    onFocus: () => setFocused(true),
    onBlur: () => setFocused(false),
  };
  const masked = node.secret && !shown;
  const rows = Math.max(long ? 3 : 1, rowsOf(value, LINE_CHARACTERS, ROWS_MAX));
  const control = (
    <div className="flex gap-1">
      {several ? (
        <textarea
          {...shared}
          rows={rows}
          className={LINES}
          // The masking of several lines has no standard name.
          style={{ "--rows": rows, ...(masked && { WebkitTextSecurity: "disc" }) } as CSSProperties}
          onChange={(event) => change(event.target.value)}
        />
      ) : (
        <input
          {...shared}
          className={LINE}
          type={masked ? "password" : "text"}
          inputMode={INPUT_MODES[node.format ?? ""] ?? "text"}
          onChange={(event) => change(event.target.value)}
          onPaste={(event: ClipboardEvent) => {
            const pasted = event.clipboardData.getData("text").replaceAll("\r\n", "\n");
            if (!pasted.includes("\n")) return;
            event.preventDefault();
            insert(pasted);
          }}
          onKeyDown={(event: KeyboardEvent) => {
            if (event.key !== "Enter" || !event.shiftKey || event.ctrlKey || event.metaKey || node.secret) return;
            event.preventDefault();
            insert("\n");
          }}
        />
      )}
      {node.secret && (
        <button type="button" className={BUTTON} aria-pressed={shown} onClick={() => setShown(!shown)}>
          {shown ? "hide" : "show"}
        </button>
      )}
      {aid !== null && <TextAid aid={aid} value={value} place={place} label={props.label} />}
      {node.style === "base64" && <FileChooser label={props.label} value={value} onText={change} />}
    </div>
  );
  return (
    <>
      {control}
      {doubtful && (
        <p id={`${id}-looks`} className="text-sm text-warn">
          This does not look like the format {node.format ?? ""}{node.hint === undefined ? "" : `, for example ${node.hint}`}. It is sent as typed.
        </p>
      )}
    </>
  );
}

/** A number: text, sent as it was typed. */
export function NumberControl(props: ControlProps<NumberNode>) {
  const { node, draft, place, kept } = props;
  const desk = useDesk();
  return (
    <input
      id={desk.idOf(place.pointer)}
      type="text"
      inputMode={node.whole ? "numeric" : "decimal"}
      value={draft.kind === "number" ? draft.text : ""}
      placeholder={placeholderOf(node, draft)}
      aria-label={nameOf(place)}
      aria-describedby={props.describedBy}
      aria-invalid={props.invalid}
      aria-required={props.required}
      autoComplete="off"
      className={`${LINE} font-mono`}
      onChange={(event) => {
        const typed = event.target.value;
        put(desk, place, typed === "" ? (kept ? ADDED : ABSENT) : number(typed));
      }}
    />
  );
}

/** Yes or no; neither is marked while it is unset. */
export function BooleanControl(props: ControlProps<BooleanNode>) {
  const { node, draft, place } = props;
  const desk = useDesk();
  const id = desk.idOf(place.pointer);
  const fallback = draft.kind === "absent" ? fallbackOf(node) : undefined;
  return (
    <div
      role="radiogroup"
      aria-label={nameOf(place) ?? props.label}
      aria-describedby={props.describedBy}
      aria-invalid={props.invalid}
      aria-required={props.required}
      className="flex items-center gap-3 py-0.5"
    >
      {[true, false].map((value) => (
        <label key={String(value)} className="flex items-center gap-1">
          <input
            // The one that is marked; before a choice, the first.
            id={value === (draft.kind !== "boolean" || draft.value) ? id : undefined}
            type="radio"
            name={id}
            checked={draft.kind === "boolean" && draft.value === value}
            onChange={() => put(desk, place, flag(value))}
          />
          {String(value)}
        </label>
      ))}
      {fallback !== undefined && <span className="text-faint">default: {valueLabel(fallback)}</span>}
    </div>
  );
}

/** The only value that is allowed: set or not. */
export function ConstControl(props: ControlProps<ConstNode>) {
  const { node, draft, place } = props;
  const desk = useDesk();
  return (
    <label className="flex items-center gap-1.5 py-0.5">
      <input
        id={desk.idOf(place.pointer)}
        type="checkbox"
        checked={draft.kind !== "absent"}
        aria-label={`${props.label}: ${valueLabel(node.value)}`}
        aria-describedby={props.describedBy}
        aria-invalid={props.invalid}
        onChange={(event) => put(desk, place, event.target.checked ? node.value : props.kept ? ADDED : ABSENT)}
      />
      <code className="font-mono text-sm">{valueLabel(node.value)}</code>
      <span className="text-faint">fixed</span>
    </label>
  );
}
