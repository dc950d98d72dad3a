/** The controls of single values: text, number, yes or no, a fixed value. */

import { type ClipboardEvent, type KeyboardEvent, useLayoutEffect, useRef, useState } from "react";

import { put, type Place, useDesk } from "../desk";
import { ABSENT, ADDED, type Draft, flag, number, text } from "../model/draft";
import type { BooleanNode, ConstNode, NumberNode, StringNode } from "../model/node";
import { placeName } from "../model/pointer";
import { fallbackOf } from "../model/start";
import { valueLabel } from "../model/words";

/** What a control is told by the row around it. */
export interface ControlProps<Node> {
  readonly node: Node;
  readonly draft: Draft;
  readonly place: Place;
  readonly label: string;
  readonly required: boolean;
  /** An item or an added key: clearing it leaves it in its place. */
  readonly kept: boolean;
  readonly describedBy: string | undefined;
  readonly invalid: boolean;
}

export const BOX =
  "min-w-0 rounded-sm border border-line-strong bg-bg px-2 py-0.5 text-text placeholder:text-faint aria-invalid:border-bad";
export const INPUT = `${BOX} w-full`;
export const BUTTON =
  "rounded-sm border border-line px-1.5 text-sm text-dim hover:bg-hover hover:text-text disabled:opacity-50";

/** The spoken name of a control whose label alone would not tell it from others. */
export function nameOf(place: Place): string | undefined {
  return place.steps.length === 1 && place.variant === undefined ? undefined : placeName(place.pointer);
}

function placeholderOf(node: StringNode | NumberNode, draft: Draft): string {
  if (draft.kind === "string") return "empty text";
  const fallback = fallbackOf(node);
  if (fallback !== undefined) return `default: ${node.secret ? "•••" : valueLabel(fallback, 60)}`;
  const [example] = node.examples;
  if (example !== undefined) return `e.g. ${valueLabel(example, 60)}`;
  return node.kind === "string" && node.hint !== undefined ? `e.g. ${node.hint}` : "";
}

/** A text: one line until it has more. */
export function TextControl(props: ControlProps<StringNode>) {
  const { node, draft, place, kept } = props;
  const desk = useDesk();
  const value = draft.kind === "string" ? draft.value : "";
  // Once there were several lines the field stays tall, so that typing is not interrupted.
  const [tall, setTall] = useState(node.style !== "line");
  const several = tall || value.includes("\n");
  const field = useRef<HTMLInputElement & HTMLTextAreaElement>(null);
  const caret = useRef<number | null>(null);
  const [shown, setShown] = useState(false);

  useLayoutEffect(() => {
    if (caret.current === null || field.current === null) return;
    field.current.focus();
    field.current.setSelectionRange(caret.current, caret.current);
    caret.current = null;
  }, [several, value]);

  const change = (next: string) => {
    put(desk, place, next === "" && !kept ? ABSENT : text(next));
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
    id: desk.idOf(place.pointer),
    ref: field,
    value,
    placeholder: placeholderOf(node, draft),
    "aria-label": nameOf(place),
    "aria-describedby": props.describedBy,
    "aria-invalid": props.invalid,
    "aria-required": props.required,
    autoComplete: "off",
    spellCheck: false,
    className: INPUT,
  };
  const masked = node.secret && !shown;
  return (
    <div className="flex gap-1">
      {several ? (
        <textarea
          {...shared}
          rows={Math.min(12, Math.max(node.style === "line" ? 1 : 3, value.split("\n").length))}
          // The masking of several lines has no standard name.
          style={masked ? ({ WebkitTextSecurity: "disc" } as React.CSSProperties) : undefined}
          onChange={(event) => change(event.target.value)}
        />
      ) : (
        <input
          {...shared}
          type={masked ? "password" : "text"}
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
      {node.style === "base64" && <FileChooser label={props.label} value={value} onText={change} />}
    </div>
  );
}

/** The largest file that is read into an argument. */
const FILE_BYTES_MAX = 8 * 1024 * 1024;

/** Reads a file as base64 text. */
function FileChooser(props: { label: string; value: string; onText: (base64: string) => void }) {
  const { label, value, onText } = props;
  /** The file that was read last; told only while its bytes are what is sent. */
  const [chosen, setChosen] = useState<{ name: string; size: number; base64: string } | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const read = (file: File) => {
    if (file.size > FILE_BYTES_MAX) {
      setProblem("The file is larger than 8 MiB.");
      return;
    }
    const reader = new FileReader();
    reader.onload = () => {
      const address = typeof reader.result === "string" ? reader.result : "";
      const comma = address.indexOf(",");
      const base64 = comma < 0 ? "" : address.slice(comma + 1);
      setProblem(null);
      setChosen({ name: file.name, size: file.size, base64 });
      onText(base64);
    };
    reader.onerror = () => setProblem("The file could not be read.");
    reader.readAsDataURL(file);
  };
  return (
    <span className="w-48 shrink-0">
      <input
        type="file"
        aria-label={`File for ${label}`}
        // The words beside its button are the browser's, which says that there is no file.
        className="w-full text-sm text-transparent file:text-dim"
        onChange={(event) => {
          const file = event.target.files?.[0];
          if (file !== undefined) read(file);
          // Else the same file could not be chosen again, and a file that is not sent would stay in view.
          event.target.value = "";
        }}
      />
      {value !== "" && chosen?.base64 === value && (
        <span className="block text-sm break-words text-dim">
          {chosen.name} · {chosen.size.toLocaleString("en")} B
        </span>
      )}
      {problem !== null && <span role="alert" className="text-bad">{problem}</span>}
    </span>
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
      className={`${INPUT} font-mono`}
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
            id={value ? id : undefined}
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
