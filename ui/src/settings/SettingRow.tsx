/** One setting: what it does, what it is, and whether that is its default. */
import { useEffect, useId, useState } from "react";

import { useHouse } from "../app/house";
import type { SettingsState } from "../bridge/bindings";
import { useStore } from "../hall/store";
import { Button } from "../parts/Button";
import { Trouble } from "../parts/Trouble";
import { useDeed } from "../parts/useDeed";
import { useGoing } from "../parts/useGoing";
import { number } from "../words/format";
import { keyLabel } from "../words/keys";
import { valueOf, type Field, type FieldKey, type SettingValue } from "./fields";
import { KeyField } from "./KeyField";
import { OutsideNote } from "./OutsideNote";

/** How long it is said beside a setting that it was saved. */
const SAID_MS = 2_000;
const FIELD = "h-7 min-w-0 rounded-sm border border-line-strong bg-bg px-2";

interface Props {
  readonly field: Field;
  readonly known: SettingsState;
}

export function SettingRow({ field, known }: Props) {
  const { settings, spoken } = useHouse();
  const id = useId();
  const deed = useDeed();
  const [saved, setSaved] = useState(false);
  useEffect(() => {
    if (!saved) return;
    const timer = setTimeout(() => setSaved(false), SAID_MS);
    return () => clearTimeout(timer);
  }, [saved]);
  const { title, does } = field;
  const value = valueOf(known.settings, field.key);
  const usual = valueOf(known.defaults, field.key);
  const save = async (wanted: SettingValue) => {
    if (wanted === value) return;
    setSaved(false);
    if (!(await deed.go(() => settings.change([{ key: field.key, value: wanted }])))) return;
    setSaved(true);
    spoken.set(`${title}: saved.`);
  };
  const resets = useGoing(value !== usual, () => document.getElementById(id));
  const mistake = known.problems.find((problem) => problem.field === field.key);
  return (
    <div data-setting={field.key} className="flex flex-col gap-1 border-b border-line py-2 last:border-0">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <label htmlFor={id} className="min-w-40 flex-1 font-medium">{title}</label>
        <span role="status" className="text-sm text-dim empty:hidden">
          {deed.busy ? "Saving…" : saved ? "✓ Saved" : ""}
        </span>
        <Control id={id} field={field} value={value} usual={usual} save={(wanted) => void save(wanted)} />
        {value === usual ? (
          <span className="w-24 text-sm text-faint">default</span>
        ) : (
          <Button
            look="quiet"
            className="w-24"
            aria-label={`Set ${title} back to its default`}
            title={`Default: ${told(field, usual)}`}
            onClick={() => {
              resets();
              void save(usual);
            }}
          >
            Reset
          </Button>
        )}
      </div>
      <p id={`${id}-does`} className="text-sm break-words text-dim">{does}</p>
      {field.key === "membersDir" && <FolderNow />}
      <OutsideNote setting={field.key} known={known} />
      {mistake && <Trouble report={mistake.report} />}
      {deed.problem && <Trouble report={deed.problem} />}
    </div>
  );
}

/** Whether the gateway can have a port: those of the members are taken out. */
function isPort(port: number): boolean {
  return (port >= 1_024 && port < 20_000) || (port > 30_000 && port <= 65_535);
}

/** What holds where a setting has no value. */
const NULL_WORDS: Partial<Record<FieldKey, string>> = {
  membersDir: "guild-members in the data folder",
  registry: "the official registry",
};

/** A value in words. */
function told({ key, control }: Field, value: SettingValue): string {
  if (typeof value === "boolean") return value ? "on" : "off";
  if (value === null) return NULL_WORDS[key] ?? "none";
  if (control.kind === "number" && typeof value === "number") return control.unit === "percent" ? `${number(value)} %` : `${number(value)} ms`;
  if (control.kind === "keys") return keyLabel(String(value));
  return (control.kind === "choice" ? control.choices[String(value)] : undefined) ?? String(value);
}

/** Which folder is in use: another one is only from the next start on, as the setting says of itself. */
function FolderNow() {
  const folder = useStore(useHouse().hall.info, (info) => info?.membersDir);
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
  const { control, title } = field;
  const described = { id, "aria-describedby": `${id}-does` };
  switch (control.kind) {
    case "flag":
      return (
        <input
          {...described}
          type="checkbox"
          role="switch"
          aria-checked={value === true}
          className="size-4"
          checked={value === true}
          onChange={(event) => save(event.target.checked)}
        />
      );
    case "choice":
      return (
        <select {...described} className={FIELD} value={String(value)} onChange={(event) => save(event.target.value)}>
          {Object.entries(control.choices).map(([choice, word]) => (
            <option key={choice} value={choice}>{word}</option>
          ))}
        </select>
      );
    case "number":
      return (
        <NumberField
          described={described}
          fits={(number) => number >= control.least && number <= control.most}
          wrong={`A whole number from ${number(control.least)} to ${number(control.most)}.`}
          value={value}
          save={save}
        />
      );
    case "port":
      return <NumberField described={described} fits={isPort} wrong="A whole number from 1024 to 19999 or from 30001 to 65535: the ports between are the members'." value={value} save={save} />;
    case "text":
      return <TextField described={described} picks={control.picks} value={value} usual={usual} save={save} />;
    case "keys":
      return (
        <KeyField
          {...described}
          title={title}
          keys={typeof value === "string" ? value : null}
          everywhere
          onKeys={save}
        />
      );
  }
}

interface Typed {
  readonly described: { readonly id: string; readonly "aria-describedby": string };
  readonly value: SettingValue;
  readonly save: (value: SettingValue) => void;
}

/** Follows the setting; saved when it is left, or by Enter. */
function NumberField({ described, fits: isFit, wrong, value, save }: Typed & { readonly fits: (number: number) => boolean; readonly wrong: string }) {
  const [text, setText] = useState(String(value));
  const [seen, setSeen] = useState(value);
  if (seen !== value) {
    setSeen(value);
    setText(String(value));
  }
  const number = /^\d{1,9}$/.test(text.trim()) ? Number(text) : Number.NaN;
  const fits = isFit(number);
  const take = () => {
    if (fits) save(number);
  };
  return (
    <span className="flex flex-col items-end gap-1">
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
      {!fits && (
        <span id={`${described.id}-wrong`} role="alert" className="text-sm">
          <span className="text-bad">✕</span> {wrong}
        </span>
      )}
    </span>
  );
}

/** The same for a text; an empty one is the default. */
function TextField({ described, picks, value, usual, save }: Typed & { readonly picks: "folder" | "file" | undefined; readonly usual: SettingValue }) {
  const { pickPath } = useHouse();
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
        value={text}
        onChange={(event) => setText(event.target.value)}
        onBlur={() => take(text)}
        onKeyDown={(event) => event.key === "Enter" && take(text)}
      />
      {picks && pickPath && <Button onClick={() => void pick(picks)}>Choose…</Button>}
    </span>
  );
}
