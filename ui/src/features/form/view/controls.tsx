/** Controls for single values: strings, numbers, booleans and constants. */

import { type ClipboardEvent, type CSSProperties, type KeyboardEvent, type ReactNode, useLayoutEffect, useRef, useState } from "react";

import { IconButton } from "../../../components/IconButton";
import { Segmented } from "../../../components/Segmented";
import { MASK } from "../../../lib/mask";
import { put, type Place, unset, useFormCommands } from "../commands";
import { ABSENT, ADDED, type Draft, flag, number, text } from "../model/draft";
import type { BooleanNode, ConstNode, FormNode, NumberNode, StringNode } from "../model/node";
import { aidOf, isLong, rowsOf } from "../model/aids";
import { looksLike } from "../model/formats";
import { placeName } from "../model/pointer";
import { fallbackOf } from "../model/start";
import { valueLabel } from "../model/labels";
import { FileChooser, TextAid } from "./aids";
import { ASIDE } from "./aside";
import type { RowProps } from "./row";

/** The props that a row passes to its control. */
export interface ControlProps<Node> extends Pick<RowProps, "draft" | "place" | "marks" | "label" | "required"> {
  readonly node: Node;
  /** Whether the row is a list item or an added key, so that clearing the value does not remove the row. */
  readonly kept: boolean;
  readonly describedBy: string | undefined;
  readonly invalid: boolean;
}

export const BOX =
  "min-w-0 rounded-sm border border-control bg-bg px-2.5 py-1.25 text-text placeholder:font-sans placeholder:text-faint aria-invalid:border-bad";
export const INPUT = `${BOX} w-full`;
/** A single-line field. `contain: strict` limits layout to the field, so that typing does not lay out the form. */
export const LINE = `${INPUT} block h-8 contain-strict`;
/** A field with as many lines as `--rows`, also with `contain: strict`. The user can resize it. */
const LINES = `${INPUT} h-[calc(var(--rows)*20px+12px)] contain-strict`;
export const BUTTON =
  "min-h-6 rounded-sm border border-line px-2 text-sm text-dim hover:bg-hover hover:text-text disabled:opacity-50";

/** The accessible name of a nested control, whose label alone would be ambiguous; undefined for top-level fields. */
function nameOf(place: Place): string | undefined {
  return place.steps.length === 1 && place.variant === undefined ? undefined : placeName(place.pointer);
}

/** The text shown for an unset value: "Not set", or the default. */
export function unsetWords(node: FormNode, labelOf: (value: Draft) => string = (value) => valueLabel(value, 60)): string {
  const fallback = fallbackOf(node);
  return fallback === undefined ? "Not set" : `${node.secret ? MASK : labelOf(fallback)} (default)`;
}

function placeholderOf(node: StringNode | NumberNode, draft: Draft): string {
  if (draft.kind === "string") return "Empty text";
  const hint = node.kind === "string" && node.examples.length === 0 && fallbackOf(node) === undefined ? node.hint : undefined;
  return hint === undefined ? unsetWords(node) : `Not set, for example ${hint}`;
}

/** The frame of a single-value control, with buttons at its end, such as the button that clears the value. */
export function FieldBox({ props, children, buttons }: { props: ControlProps<FormNode>; children: ReactNode; buttons?: ReactNode }) {
  const { draft, place, label, required, kept } = props;
  const form = useFormCommands();
  const clears = draft.kind !== "absent" && !required && !kept && place.pointer !== "";
  return (
    <div className="relative min-w-0">
      {children}
      <span className="absolute inset-e-1 top-1 flex items-center">
        {buttons}
        {clears && (
          <IconButton
            {...ASIDE}
            icon="close"
            label={`Clear ${label}`}
            title="Clear"
            className="h-6! w-6!"
            onClick={() => {
              unset(form, place);
              form.focus(place.pointer);
            }}
          />
        )}
      </span>
    </div>
  );
}

/** The name of the field that contains a value. For a list item, this is the name of the list. */
export function nameIn(place: Place): string {
  for (let index = place.steps.length - 1; index >= 0; index -= 1) {
    const key = place.steps[index]?.key;
    if (typeof key === "string") return key;
  }
  return "";
}

/** The approximate characters per line of a multi-line field, and the maximum number of lines to which it grows. */
const LINE_CHARACTERS = 70;
const ROWS_MAX = 16;
/** The `inputMode` for each format. It selects the layout of a touch keyboard. */
const INPUT_MODES: Readonly<Record<string, "url" | "email">> = { uri: "url", url: "url", iri: "url", email: "email" };

/** The control for a string: a single-line field that becomes a multi-line one when the text has line breaks. */
export function TextControl(props: ControlProps<StringNode>) {
  const { node, draft, place, kept } = props;
  const form = useFormCommands();
  const value = draft.kind === "string" ? draft.value : "";
  const key = nameIn(place);
  const long = node.style !== "line" || isLong(node, key);
  const aid = aidOf(node, key, form.around);
  // After the text once had several lines, the field stays multi-line, so that it is not replaced while typing.
  const [tall, setTall] = useState(long);
  const several = tall || value.includes("\n");
  const field = useRef<HTMLInputElement & HTMLTextAreaElement>(null);
  const caret = useRef<number | null>(null);
  const [shown, setShown] = useState(false);
  // A text that does not match its format is not marked while the field has the focus.
  const [focused, setFocused] = useState(false);
  const doubtful = !focused && !looksLike(node.format, value);
  const id = form.idOf(place.pointer);

  useLayoutEffect(() => {
    if (caret.current === null || field.current === null) return;
    field.current.focus();
    field.current.setSelectionRange(caret.current, caret.current);
    caret.current = null;
  }, [several, value]);

  const change = (next: string) => {
    // A cleared list item becomes absent, because an empty string must be a deliberate choice.
    put(form, place, next !== "" ? text(next) : kept ? ADDED : ABSENT);
  };
  // A single-line field would silently drop pasted line breaks, so the field becomes a multi-line one.
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
  const buttons = (
    <>
      {node.secret && <IconButton {...ASIDE} icon="eye" label={`Show ${props.label}`} title={shown ? "Hide" : "Show"} aria-pressed={shown} className="h-6! w-6!" onClick={() => setShown(!shown)} />}
      {aid !== null && <TextAid aid={aid} value={value} place={place} label={props.label} />}
    </>
  );
  const room = node.secret || aid !== null ? "pe-16" : "pe-9";
  const control = (
    <FieldBox props={props} buttons={buttons}>
      {several ? (
        <textarea
          {...shared}
          rows={rows}
          className={`${LINES} ${room}`}
          // A WebKit property masks the text, because no standard property masks a multi-line field.
          style={{ "--rows": rows, ...(masked && { WebkitTextSecurity: "disc" }) } as CSSProperties}
          onChange={(event) => change(event.target.value)}
        />
      ) : (
        <input
          {...shared}
          className={`${LINE} ${room}`}
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
    </FieldBox>
  );
  return (
    <>
      {control}
      {node.style === "base64" && <FileChooser label={props.label} value={value} onText={change} />}
      {doubtful && (
        <p id={`${id}-looks`} className="text-sm text-warn">
          Doesn't look like the format {node.format ?? ""}{node.hint === undefined ? "" : `, for example ${node.hint}`}. It is sent as typed.
        </p>
      )}
    </>
  );
}

/** The control for a number: a text field, so that the number is sent exactly as typed. */
export function NumberControl(props: ControlProps<NumberNode>) {
  const { node, draft, place, kept } = props;
  const form = useFormCommands();
  return (
    <FieldBox props={props}>
      <input
        id={form.idOf(place.pointer)}
        type="text"
        inputMode={node.whole ? "numeric" : "decimal"}
        value={draft.kind === "number" ? draft.text : ""}
        placeholder={placeholderOf(node, draft)}
        aria-label={nameOf(place)}
        aria-describedby={props.describedBy}
        aria-invalid={props.invalid}
        aria-required={props.required}
        autoComplete="off"
        className={`${LINE} pe-9 font-mono`}
        onChange={(event) => {
          const typed = event.target.value;
          put(form, place, typed === "" ? (kept ? ADDED : ABSENT) : number(typed));
        }}
      />
    </FieldBox>
  );
}

/** The `id` and ARIA attributes of a row's control. */
export function spoken(props: ControlProps<FormNode>, id: string) {
  const { place, label, describedBy, invalid, required } = props;
  return { id, "aria-label": nameOf(place) ?? label, "aria-describedby": describedBy, "aria-invalid": invalid, "aria-required": required };
}

/** The control for a boolean. An optional one can be left unset. */
export function BooleanControl(props: ControlProps<BooleanNode>) {
  const { node, draft, place, required, kept } = props;
  const form = useFormCommands();
  const fallback = draft.kind === "absent" ? fallbackOf(node) : undefined;
  const word = (value: boolean) => `${value ? "True" : "False"}${fallback?.kind === "boolean" && fallback.value === value ? " (default)" : ""}`;
  return (
    <Segmented
      {...spoken(props, form.idOf(place.pointer))}
      value={draft.kind === "boolean" ? String(draft.value) : ""}
      options={[...(required || kept ? [] : [{ value: "", label: "Not set" }]), { value: "true", label: word(true) }, { value: "false", label: word(false) }]}
      onValue={(value) => put(form, place, value === "" ? ABSENT : flag(value === "true"))}
    />
  );
}

/** The control for a constant: a checkbox that sets or removes the only allowed value. */
export function ConstControl(props: ControlProps<ConstNode>) {
  const { node, draft, place } = props;
  const form = useFormCommands();
  return (
    <label className="flex items-center gap-1.5 py-0.5">
      <input
        id={form.idOf(place.pointer)}
        type="checkbox"
        checked={draft.kind !== "absent"}
        aria-label={`${props.label}: ${valueLabel(node.value)}`}
        aria-describedby={props.describedBy}
        aria-invalid={props.invalid}
        onChange={(event) => put(form, place, event.target.checked ? node.value : props.kept ? ADDED : ABSENT)}
      />
      <code className="font-mono text-sm">{valueLabel(node.value)}</code>
      <span className="text-faint">fixed</span>
    </label>
  );
}
