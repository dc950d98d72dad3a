/** A form for the common fields of plugin.json. An edit changes only the field's text and keeps the rest unchanged. */
import { useId, useState, type ReactNode } from "react";

import { Segmented } from "../../../components/Segmented";

const BOX = "w-full rounded-sm border border-control bg-bg px-2 font-mono text-sm";

interface Props {
  readonly text: string;
  /** Called with a field and its new JSON value; `null` removes the field. */
  readonly onEdit: (field: string, value: string | null) => void;
  /** Called while the user types, with whether a field's text differs from its value. */
  readonly onTyping: (isTyping: boolean) => void;
}

type Fields = Record<string, unknown>;

function fieldsOf(text: string): Fields | null {
  try {
    const read: unknown = JSON.parse(text.replace(/^\uFEFF/, ""));
    return typeof read === "object" && read !== null && !Array.isArray(read) ? (read as Fields) : null;
  } catch {
    return null;
  }
}

const asText = (value: unknown) => (typeof value === "string" ? value : "");

/** A list of strings as text with one item per line; `null` for any other value, which the form cannot show. */
function linesOf(value: unknown): string | null {
  if (value === undefined) return "";
  const isPlain = (item: unknown) => typeof item === "string" && !item.includes("\n");
  return Array.isArray(value) && value.every(isPlain) ? value.join("\n") : null;
}

/** Environment variables as `NAME=value` lines; `null` for a value that the form cannot show. */
function variablesOf(value: unknown): string | null {
  if (value === undefined) return "";
  if (typeof value !== "object" || value === null || Array.isArray(value)) return null;
  return linesOf(Object.entries(value).map(([name, text]) => (typeof text === "string" ? `${name}=${text}` : null)));
}

function variablesIn(lines: string): Record<string, string> {
  const pairs = lines.split("\n").filter((line) => line.trim() !== "").map((line): [string, string] => {
    const at = line.indexOf("=");
    return at < 0 ? [line.trim(), ""] : [line.slice(0, at).trim(), line.slice(at + 1)];
  });
  return Object.fromEntries(pairs);
}

export function FieldForm({ text, onEdit, onTyping }: Props) {
  const fields = fieldsOf(text);
  if (fields === null) return <p className="text-dim">Correct the JSON below to use the form.</p>;
  const set = (field: string, value: unknown) => onEdit(field, value === undefined ? null : JSON.stringify(value));
  const isCommand = "command" in fields;
  const args = linesOf(fields["args"]);
  const env = variablesOf(fields["env"]);
  return (
    <div className="grid max-w-2xl grid-cols-[auto_minmax(0,1fr)] items-start gap-x-4 gap-y-2">
      {isCommand && <Line label="Command" value={asText(fields["command"])} onTyping={onTyping} onCommit={(value) => set("command", value)} />}
      {"url" in fields && <Line label="URL" value={asText(fields["url"])} onTyping={onTyping} onCommit={(value) => set("url", value)} />}
      {isCommand && args !== null && (
        <Line label="Arguments" hint="One on each line" value={args} rows onTyping={onTyping} onCommit={(value) => set("args", value === "" ? undefined : value.split("\n"))} />
      )}
      {isCommand && env !== null && (
        <Line label="Environment" hint="NAME=value, one on each line" value={env} rows onTyping={onTyping} onCommit={(value) => set("env", value.trim() === "" ? undefined : variablesIn(value))} />
      )}
      <Labelled label="Start">
        {(id) => (
          <Segmented
            aria-labelledby={id}
            value={fields["lifecycle"] === "on-demand" ? "on-demand" : "eager"}
            options={[{ value: "eager", label: "Automatically" }, { value: "on-demand", label: "On demand" }]}
            onValue={(value) => set("lifecycle", value === "eager" ? undefined : value)}
          />
        )}
      </Labelled>
      <Labelled label="Enabled">
        {(id) => (
          <input type="checkbox" aria-labelledby={id} checked={fields["enabled"] !== false} onChange={(event) => set("enabled", event.target.checked ? undefined : false)} />
        )}
      </Labelled>
    </div>
  );
}

function Labelled({ label, children }: { readonly label: string; readonly children: (id: string) => ReactNode }) {
  const id = useId();
  return (
    <>
      <span id={id} className="pt-1 font-medium">{label}</span>
      <div className="flex min-h-7 items-center">{children(id)}</div>
    </>
  );
}

interface LineProps {
  readonly label: string;
  readonly hint?: string;
  readonly value: string;
  readonly rows?: boolean;
  readonly onTyping: Props["onTyping"];
  readonly onCommit: (value: string) => void;
}

/** A text field that reports its value when the field loses the focus. */
function Line({ label, hint, value, rows = false, onTyping, onCommit }: LineProps) {
  const id = useId();
  const [held, setHeld] = useState({ of: value, typed: value });
  if (held.of !== value) setHeld({ of: value, typed: value });
  const props = {
    id,
    dir: "ltr",
    spellCheck: false,
    autoComplete: "off",
    value: held.typed,
    "aria-describedby": hint === undefined ? undefined : `${id}-hint`,
    onChange: (event: { readonly target: { readonly value: string } }) => {
      setHeld({ of: value, typed: event.target.value });
      onTyping(event.target.value !== value);
    },
    onBlur: () => held.typed !== value && onCommit(held.typed),
  } as const;
  return (
    <>
      <label htmlFor={id} className="pt-1 font-medium">{label}</label>
      <div>
        {rows ? <textarea {...props} rows={Math.min(8, Math.max(2, held.typed.split("\n").length))} className={`${BOX} py-1`} /> : <input {...props} className={`${BOX} h-7`} />}
        {hint !== undefined && <p id={`${id}-hint`} className="text-sm text-faint">{hint}</p>}
      </div>
    </>
  );
}
