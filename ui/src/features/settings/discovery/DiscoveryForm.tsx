/** The form for `config.yml`: the time limit of tool detection, and the model that is used as a last resort. */
import { useId, useState, type ReactNode } from "react";

import type { DiscoverySettings, DiscoveryState } from "../../../ipc/bindings";
import { Button } from "../../../components/Button";
import { ErrorReport } from "../../../components/ErrorReport";
import { useSpoken } from "../../../lib/spoken";
import { useOperation } from "../../../lib/useOperation";
import { SetSecret } from "../secrets/SetSecret";
import { useSecretStore } from "../secrets/secretStore";
import type { Discovery } from "./useDiscovery";

/** The default name of the secret that contains the model's API key. */
const KEY = "prediction-key";
const FIELD = "h-8 w-full max-w-md rounded-sm border border-control bg-bg px-2";

interface Props {
  readonly state: DiscoveryState;
  readonly change: Discovery["change"];
  readonly onSaved?: () => void;
}

/** Remounts the form when the saved settings change, so that it shows the new values. */
export function DiscoveryForm(props: Props) {
  return <Form key={JSON.stringify(props.state.settings)} {...props} />;
}

/** Parses a whole number of up to nine digits; `null` for any other text. */
function whole(text: string): number | null {
  return /^\d{1,9}$/.test(text.trim()) ? Number(text) : null;
}

function Form({ state: { settings, file, trouble }, change, onSaved }: Props) {
  const secrets = useSecretStore();
  const spoken = useSpoken();
  const { prediction } = settings;
  const [enabled, setEnabled] = useState(settings.enabled);
  const [cache, setCache] = useState(settings.cache);
  const [limit, setLimit] = useState(settings.timeoutMs === null ? "" : String(settings.timeoutMs));
  const [predicts, setPredicts] = useState(prediction.enabled);
  const [url, setUrl] = useState(prediction.url);
  const [model, setModel] = useState(prediction.model);
  const [key, setKey] = useState(prediction.key ?? "");
  const [answerLimit, setAnswerLimit] = useState(String(prediction.timeoutMs));
  const [setting, setSetting] = useState(false);
  const operation = useOperation();

  const timeoutMs = limit.trim() === "" ? null : whole(limit);
  const answerMs = whole(answerLimit);
  const wrong =
    (timeoutMs === null && limit.trim() !== "") || answerMs === null
      ? "A time limit is a whole number of milliseconds"
      : predicts && (url.trim() === "" || model.trim() === "")
        ? "The model needs an address and a name"
        : undefined;
  const unavailable = operation.busy ? "Saving…" : trouble ? "Fix config.yml first" : wrong;
  const save = async () => {
    if (answerMs === null || unavailable !== undefined) return;
    const wanted: DiscoverySettings = {
      enabled,
      timeoutMs,
      cache,
      prediction: { enabled: predicts, url: url.trim(), model: model.trim(), key: key.trim() === "" ? null : key.trim(), timeoutMs: answerMs },
    };
    if (await operation.go(() => change(wanted))) {
      spoken.set("Saved");
      onSaved?.();
    }
  };
  const named = /^\$\{secret:(.+)\}$/.exec(key.trim())?.[1];
  const secret = named ?? KEY;
  return (
    <div className="flex flex-col gap-3">
      {trouble && <ErrorReport report={trouble} />}
      <form
        aria-label="Tool detection"
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <Tick label="Try other methods when a server doesn't list its tools" value={enabled} onValue={setEnabled} />
        <Text label="Time for one member, in milliseconds" note="Default: 10,000 ms" value={limit} onValue={setLimit} numeric />
        <Tick label="Remember the tools for the next start" value={cache} onValue={setCache} />
        <fieldset className="flex flex-col gap-3 rounded-md border border-line p-3">
          <legend className="px-1 font-semibold">Ask a model as a last resort</legend>
          <Tick
            label="Ask a model which tools a server probably has"
            note="You review each request before it's sent. Guessed tools can't be run and agents don't see them."
            value={predicts}
            onValue={setPredicts}
          />
          <Text label="Address" note="The base of an OpenAI-compatible endpoint, such as http://127.0.0.1:11434/v1; https, or http on this machine." value={url} onValue={setUrl} />
          <Text label="Model" note="Model name, for example qwen3:8b" value={model} onValue={setModel} />
          <Text label="Key" note="${secret:NAME} or ${env:NAME}. Leave empty if none is needed." value={key} onValue={setKey} />
          <Text label="Time for an answer, in milliseconds" value={answerLimit} onValue={setAnswerLimit} numeric />
        </fieldset>
        {operation.problem && <ErrorReport report={operation.problem} />}
        <div className="flex flex-wrap items-center gap-2">
          <Button type="submit" look="accent" unavailable={unavailable} onClick={() => undefined}>Save</Button>
          {!setting && <Button onClick={() => setSetting(true)}>Set the key…</Button>}
          <span className="min-w-0 break-all text-dim">{file}</span>
        </div>
      </form>
      {setting && (
        <SetSecret
          name={secret}
          member={null}
          onDone={() => {
            setSetting(false);
            const kept = secrets.known.get()?.secrets.some(({ name, kept }) => name === secret && kept !== null) ?? false;
            if (named === undefined && kept) setKey(`\${secret:${secret}}`);
          }}
        />
      )}
    </div>
  );
}

function Tick({ label, note, value, onValue }: { label: string; note?: string; value: boolean; onValue: (value: boolean) => void }) {
  const id = useId();
  return (
    <div className="flex items-start gap-2">
      <input id={id} type="checkbox" className="mt-1" checked={value} aria-describedby={note === undefined ? undefined : `${id}-note`} onChange={({ target }) => onValue(target.checked)} />
      <div className="min-w-0">
        <label htmlFor={id}>{label}</label>
        <Note id={id}>{note}</Note>
      </div>
    </div>
  );
}

interface TextProps {
  readonly label: string;
  readonly note?: string;
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly numeric?: boolean;
}

function Text({ label, note, value, onValue, numeric = false }: TextProps) {
  const id = useId();
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        className={FIELD}
        value={value}
        inputMode={numeric ? "numeric" : "text"}
        autoComplete="off"
        spellCheck={false}
        maxLength={2_000}
        aria-describedby={note === undefined ? undefined : `${id}-note`}
        onChange={({ target }) => onValue(target.value)}
      />
      <Note id={id}>{note}</Note>
    </div>
  );
}

function Note({ id, children }: { id: string; children: ReactNode }) {
  return children === undefined ? null : <p id={`${id}-note`} className="text-sm break-words text-dim">{children}</p>;
}
