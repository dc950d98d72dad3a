/** The settings of the history: whether calls are recorded, and the maximum number and size of recorded calls. */
import { Popover } from "radix-ui";
import { useId, useState, type ReactElement, type ReactNode } from "react";

import type { HistorySettings as Settings, HistoryState } from "../../ipc/bindings";
import { errorOf } from "../../lib/errorOf";
import { Button } from "../../components/Button";
import { Sign } from "../../components/Icon";
import { PopoverPane } from "../../components/PopoverPane";
import { useOperation } from "../../lib/useOperation";
import { sizeWord } from "../results/content";
import { counted, number } from "../../lib/format";
import { HistoryErrorReport } from "./HistoryErrorReport";
import type { KnownState } from "./useHistoryState";

const MIB = 1024 * 1024;
const CALLS = { least: 1, most: 10_000_000 };
const MEBIBYTES = { least: 1, most: 1024 * 1024 };

/** The locale's thousands separator. */
const BETWEEN_DIGITS = number(1_000).replaceAll(/\d/g, "");

/** Parses a whole number within limits. Returns an error message for any other text. */
function readNumber(text: string, { least, most }: { least: number; most: number }): number | string {
  const digits = text.replaceAll(/[\s_]/g, "").replaceAll(BETWEEN_DIGITS, "");
  const value = Number(digits);
  if (!/^\d+$/.test(digits)) return "Enter a whole number.";
  return value >= least && value <= most ? value : `Enter a number from ${number(least)} to ${number(most)}.`;
}

interface Props {
  readonly known: KnownState;
  readonly open: boolean;
  readonly onOpen: (open: boolean) => void;
  /** The anchor of the popover with the settings. */
  readonly children: ReactElement;
}

export function HistorySettings({ known, open, onOpen, children }: Props) {
  return (
    <Popover.Root open={open} onOpenChange={onOpen}>
      <Popover.Anchor asChild>{children}</Popover.Anchor>
      <PopoverPane
        align="end"
        aria-label="History settings"
        className="flex max-h-[80vh] w-[min(400px,calc(100vw-24px))] flex-col gap-2 overflow-y-auto p-3"
      >
        {known.error !== null && <HistoryErrorReport report={known.error} />}
        {known.state !== null && <Form state={known.state} change={known.change} onDone={() => onOpen(false)} />}
      </PopoverPane>
    </Popover.Root>
  );
}

interface FormProps {
  readonly state: HistoryState;
  readonly change: KnownState["change"];
  readonly onDone: () => void;
}

function Form({ state, change, onDone }: FormProps) {
  const { settings } = state;
  const [recording, setRecording] = useState(settings.recording);
  const [calls, setCalls] = useState(String(settings.keepCalls));
  const [room, setRoom] = useState(String(Math.round(settings.keepBytes / MIB)));
  const operation = useOperation();
  const keepCalls = readNumber(calls, CALLS);
  const keepMib = readNumber(room, MEBIBYTES);
  const surplus = typeof keepCalls === "number" ? state.calls - keepCalls : 0;

  const save = async () => {
    if (typeof keepCalls !== "number" || typeof keepMib !== "number") return;
    // The field shows whole MiB. Unless the user edits the field, keep the exact size in bytes.
    const keepBytes = keepMib === Math.round(settings.keepBytes / MIB) ? settings.keepBytes : keepMib * MIB;
    const wanted: Settings = { recording, keepCalls, keepBytes };
    const isSaved = await operation.go(() => errorOf(() => change(wanted)));
    if (isSaved) onDone();
  };
  const wrong = typeof keepCalls === "string" || typeof keepMib === "string";
  return (
    <form
      className="flex flex-col gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <label className="flex items-center gap-2">
        <input type="checkbox" checked={recording} onChange={(event) => setRecording(event.target.checked)} />
        <span>Record calls</span>
      </label>
      <p className="text-sm text-dim">Saved calls and drafts are always kept. Secrets are masked.</p>
      <Field label="Maximum calls" unit="calls" value={calls} onValue={setCalls} wrong={keepCalls} />
      <Field label="Maximum size" unit="MiB" value={room} onValue={setRoom} wrong={keepMib} />
      {surplus > 0 && <p data-testid="history-surplus" className="text-sm text-warn"><Sign of="warning" className="me-1" />Deletes the oldest {counted(surplus, { one: "call", other: "calls" })}.</p>}
      {operation.problem !== null && <p role="alert" className="text-sm break-words text-bad"><Sign of="cross" className="me-1" />{operation.problem.message}</p>}
      <p className="text-sm break-words text-dim">
        {counted(state.calls, { one: "call", other: "calls" })}, {sizeWord(state.size)}, in <span className="break-all select-text">{state.file}</span>
        {state.unrecorded > 0 && `. ${counted(state.unrecorded, { one: "call", other: "calls" })} couldn't be recorded.`}
      </p>
      <div className="flex justify-end gap-2">
        <Button look="quiet" onClick={onDone}>Cancel</Button>
        <Button look="accent" type="submit" unavailable={wrong ? "Correct the numbers first" : undefined}>Save</Button>
      </div>
    </form>
  );
}

interface FieldProps {
  readonly label: string;
  readonly unit: ReactNode;
  readonly value: string;
  readonly onValue: (value: string) => void;
  /** The parsed number, or an error message. */
  readonly wrong: number | string;
}

function Field({ label, unit, value, onValue, wrong }: FieldProps) {
  const id = useId();
  const problem = typeof wrong === "string" ? wrong : null;
  return (
    <div>
      <div className="flex items-center gap-2">
        <label htmlFor={id} className="w-28">{label}</label>
        <input
          id={id}
          type="text"
          inputMode="numeric"
          maxLength={16}
          value={value}
          onChange={(event) => onValue(event.target.value)}
          aria-invalid={problem !== null}
          aria-describedby={problem === null ? undefined : `${id}-wrong`}
          className="h-6 w-32 rounded-sm border border-control bg-bg px-2 text-end tabular-nums aria-invalid:border-bad"
        />
        <span className="text-dim">{unit}</span>
      </div>
      {problem !== null && <p id={`${id}-wrong`} className="ps-30 text-sm text-bad"><Sign of="cross" className="me-1" />{problem}</p>}
    </div>
  );
}
