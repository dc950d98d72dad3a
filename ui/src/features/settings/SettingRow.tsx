/** One setting: its name and description, its control, and a button that resets it to the default. */
import { useEffect, useId, useState } from "react";

import type { SettingsState } from "../../ipc/bindings";
import { useDesktop } from "../../lib/desktop";
import { useHall } from "../../lib/hall/hall";
import { useSpoken } from "../../lib/spoken";
import { useStore } from "../../lib/store";
import { Button } from "../../components/Button";
import { Sign } from "../../components/Icon";
import { IconButton } from "../../components/IconButton";
import { Select } from "../../components/Select";
import { ErrorReport } from "../../components/ErrorReport";
import { useOperation } from "../../lib/useOperation";
import { useGoing } from "../../lib/useGoing";
import { number } from "../../lib/format";
import { keyLabel } from "../../lib/keys/keyLabel";
import { choicesOf, rangesOf, valueOf, type Field, type SettingValue } from "./fields";
import { KeyField } from "./KeyField";
import { OutsideNote } from "./OutsideNote";
import { useSettingsStore } from "./settingsStore";

/** The time in milliseconds for which `Saved` is shown beside a setting. */
const SAID_MS = 2_000;
const FIELD = "h-7 min-w-0 rounded-sm border border-control bg-bg px-2 aria-invalid:border-bad";

interface Props {
  readonly field: Field;
  readonly known: SettingsState;
}

export function SettingRow({ field, known }: Props) {
  const settings = useSettingsStore();
  const spoken = useSpoken();
  const id = useId();
  const operation = useOperation();
  const [saved, setSaved] = useState(false);
  useEffect(() => {
    if (!saved) return;
    const timer = setTimeout(() => setSaved(false), SAID_MS);
    return () => clearTimeout(timer);
  }, [saved]);
  const { title, description } = field;
  const value = valueOf(known.settings, field.key);
  const usual = valueOf(known.defaults, field.key);
  const save = async (wanted: SettingValue) => {
    if (wanted === value) return;
    setSaved(false);
    if (!(await operation.go(() => settings.change([{ key: field.key, value: wanted }])))) return;
    setSaved(true);
    spoken.set(`${title}: saved.`);
  };
  const resets = useGoing(value !== usual, () => document.getElementById(id));
  const mistake = known.problems.find((problem) => problem.field === field.key);
  return (
    <div data-setting={field.key} className="flex flex-col gap-1 px-4 py-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <div className="min-w-48 flex-1 basis-64">
          <label htmlFor={id} className="font-medium">{title}</label>
          <p id={`${id}-does`} className="text-sm break-words text-dim">{description}</p>
          {field.key === "membersDir" && <FolderNow />}
        </div>
        <span role="status" className="text-sm text-dim empty:hidden">
          {operation.busy ? "Saving…" : saved ? "Saved" : ""}
        </span>
        {value !== usual && (
          <IconButton
            icon="undo"
            label={`Reset ${title}`}
            title={`Default: ${inWords(field, usual)}`}
            onClick={() => {
              resets();
              void save(usual);
            }}
          />
        )}
        <Control id={id} field={field} value={value} usual={usual} save={(wanted) => void save(wanted)} />
      </div>
      <OutsideNote setting={field.key} known={known} />
      {mistake && <ErrorReport report={mistake.report} />}
      {operation.problem && <ErrorReport report={operation.problem} />}
    </div>
  );
}

function inWords(field: Field, value: SettingValue): string {
  if (typeof value === "boolean") return value ? "on" : "off";
  if (value === null) return field["x-none"] ?? "none";
  if (typeof value === "number") return withUnit(number(value), field);
  if (field.format === "shortcut") return keyLabel(value);
  return choicesOf(field).find(([word]) => word === value)?.[1] ?? value;
}

/** A value with its unit, such as `30,000 ms` or `100%`. */
function withUnit(text: string, { "x-unit": unit }: Field): string {
  return unit === undefined ? text : unit === "%" ? `${text}%` : `${text} ${unit}`;
}

/** The folder that is in use now. A changed setting takes effect at the next start. */
function FolderNow() {
  const folder = useStore(useHall().info, (info) => info?.membersDir);
  return folder === undefined ? null : <p className="text-sm break-all text-dim">In use: {folder}</p>;
}

interface ControlProps {
  readonly id: string;
  readonly field: Field;
  readonly value: SettingValue;
  readonly usual: SettingValue;
  readonly save: (value: SettingValue) => void;
}

function Control({ id, field, value, usual, save }: ControlProps) {
  const described = { id, "aria-describedby": `${id}-does` };
  if (field.type === "boolean") {
    return (
      <input
        {...described}
        type="checkbox"
        role="switch"
        aria-checked={value === true}
        checked={value === true}
        onChange={(event) => save(event.target.checked)}
      />
    );
  }
  if (field.enum) {
    return (
      <Select {...described} className="min-w-40" value={String(value)} options={choicesOf(field).map(([word, label]) => ({ value: word, label }))} onValue={save} />
    );
  }
  if (field.type === "integer") return <NumberField {...{ described, field, value, save }} />;
  if (field.format === "shortcut") return <KeyField {...described} title={field.title} keys={typeof value === "string" ? value : null} everywhere onKeys={save} />;
  const picks = field.key === "membersDir" ? "folder" : field.format === "registry" ? "file" : undefined;
  return <TextField {...{ described, picks, value, usual, save }} />;
}

interface Typed {
  readonly described: { readonly id: string; readonly "aria-describedby": string };
  readonly value: SettingValue;
  readonly save: (value: SettingValue) => void;
}

/** A number field that saves on blur and on Enter. If the setting changes elsewhere, the field shows the new value. */
function NumberField({ described, field, value, save }: Typed & { readonly field: Field }) {
  const ranges = rangesOf(field);
  const [text, setText] = useState(String(value));
  const [seen, setSeen] = useState(value);
  if (seen !== value) {
    setSeen(value);
    setText(String(value));
  }
  const typed = /^\d{1,9}$/.test(text.trim()) ? Number(text) : Number.NaN;
  const fits = ranges.some(([least, most]) => typed >= least && typed <= most);
  const take = () => {
    if (fits) save(typed);
  };
  return (
    <span className="flex flex-col items-end gap-1">
      <span className="flex items-center gap-1">
        <input
          {...described}
          className={`${FIELD} w-32 text-end`}
          inputMode="numeric"
          autoComplete="off"
          maxLength={12}
          value={text}
          aria-invalid={!fits}
          aria-errormessage={fits ? undefined : `${described.id}-wrong`}
          onChange={(event) => setText(event.target.value)}
          onBlur={take}
          onKeyDown={(event) => event.key === "Enter" && take()}
        />
        <span className="min-w-6 text-dim">{field["x-unit"]}</span>
      </span>
      {!fits && (
        <span data-testid="setting-wrong" id={`${described.id}-wrong`} role="alert" className="text-sm">
          <Sign of="cross" className="me-1 text-bad" />A whole number {ranges.map(([least, most]) => `from ${number(least)} to ${number(most)}`).join(" or ")}.
        </span>
      )}
    </span>
  );
}

/** A text field that saves on blur and on Enter. An empty text resets the setting to its default. */
function TextField({ described, picks, value, usual, save }: Typed & { readonly picks: "folder" | "file" | undefined; readonly usual: SettingValue }) {
  const { pickPath } = useDesktop();
  const [text, setText] = useState(typeof value === "string" ? value : "");
  const [seen, setSeen] = useState(value);
  if (seen !== value) {
    setSeen(value);
    setText(typeof value === "string" ? value : "");
  }
  const take = (wanted: string) => save(wanted.trim() === "" ? usual : wanted.trim());
  const pick = async (kind: "folder" | "file") => {
    const path = await pickPath?.({ kind });
    if (path !== null && path !== undefined) take(path);
  };
  return (
    <span className="flex min-w-0 flex-1 basis-64 gap-2">
      <input
        {...described}
        className={`${FIELD} flex-1`}
        autoComplete="off"
        spellCheck={false}
        dir="ltr"
        maxLength={4_000}
        placeholder="Default"
        value={text}
        onChange={(event) => setText(event.target.value)}
        onBlur={() => take(text)}
        onKeyDown={(event) => event.key === "Enter" && take(text)}
      />
      {picks && pickPath && <Button onClick={() => void pick(picks)}>Choose…</Button>}
    </span>
  );
}
