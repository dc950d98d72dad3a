/** What is recorded, and how long it is kept. */
import { Popover } from "radix-ui";
import { useId, useState, type ReactNode } from "react";

import type { HistorySettings as Settings, HistoryState } from "../bridge/bindings";
import { asRefusal } from "../bridge/bridge";
import { Button } from "../parts/Button";
import { Sign } from "../parts/Icon";
import { PopoverPane } from "../parts/PopoverPane";
import { useDeed } from "../parts/useDeed";
import { sizeWord } from "../results/content";
import { counted, number } from "../words/format";
import { HistoryTrouble } from "./HistoryTrouble";
import type { KnownState } from "./useHistoryState";

const MIB = 1024 * 1024;
const CALLS = { least: 1, most: 10_000_000 };
const MEBIBYTES = { least: 1, most: 1024 * 1024 };

/** The locale's thousands separator. */
const BETWEEN_DIGITS = number(1_000).replaceAll(/\d/g, "");

/** A whole number within limits, or what is wrong with the text. */
function readNumber(text: string, { least, most }: { least: number; most: number }): number | string {
  const digits = text.replaceAll(/[\s_]/g, "").replaceAll(BETWEEN_DIGITS, "");
  const value = Number(digits);
  if (!/^\d+$/.test(digits)) return "A whole number is needed.";
  return value >= least && value <= most ? value : `From ${number(least)} to ${number(most)}.`;
}

export function HistorySettings({ known }: { known: KnownState }) {
  const [open, setOpen] = useState(false);
  return (
    <Popover.Root open={open} onOpenChange={setOpen}>
      <Popover.Trigger asChild>
        <Button look="quiet">Settings</Button>
      </Popover.Trigger>
      <PopoverPane
        side="top"
        align="end"
        aria-label="Settings of the history"
        className="flex max-h-[80vh] w-[min(400px,calc(100vw-24px))] flex-col gap-2 overflow-y-auto p-3"
        onKeyDown={(event) => event.key === "Escape" && event.stopPropagation()}
      >
        {known.error !== null && <HistoryTrouble report={known.error} />}
        {known.state !== null && <Form state={known.state} change={known.change} onDone={() => setOpen(false)} />}
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
  const deed = useDeed();
  const keepCalls = readNumber(calls, CALLS);
  const keepMib = readNumber(room, MEBIBYTES);
  const surplus = typeof keepCalls === "number" ? state.calls - keepCalls : 0;

  const save = async () => {
    if (typeof keepCalls !== "number" || typeof keepMib !== "number") return;
    // Keep a size that is not a whole number of MiB until the user changes it.
    const keepBytes = keepMib === Math.round(settings.keepBytes / MIB) ? settings.keepBytes : keepMib * MIB;
    const wanted: Settings = { recording, keepCalls, keepBytes };
    const isSaved = await deed.go(async () => {
      try {
        await change(wanted);
        return null;
      } catch (reason) {
        return asRefusal(reason).report;
      }
    });
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
      <p className="text-sm text-dim">Saved calls and drafts are kept in any case. Secrets are masked before anything is written.</p>
      <Field label="Keep at most" unit="calls" value={calls} onValue={setCalls} wrong={keepCalls} />
      <Field label="In at most" unit="MiB" value={room} onValue={setRoom} wrong={keepMib} />
      {surplus > 0 && <p data-testid="history-surplus" className="text-sm text-warn"><Sign of="warning" className="me-1" />The oldest {counted(surplus, { one: "call", other: "calls" })} will be removed at once.</p>}
      {deed.problem !== null && <p role="alert" className="text-sm break-words text-bad"><Sign of="cross" className="me-1" />{deed.problem.message}</p>}
      <p className="text-sm break-words text-dim">
        {counted(state.calls, { one: "call", other: "calls" })}, {sizeWord(state.size)}, in <span className="break-all select-text">{state.file}</span>
        {state.unrecorded > 0 && `. Not recorded since the start: ${counted(state.unrecorded, { one: "call", other: "calls" })}.`}
      </p>
      <div className="flex justify-end gap-2">
        <Button look="quiet" onClick={onDone}>Cancel</Button>
        <Button look="accent" type="submit" unavailable={wrong ? "A number is wrong" : undefined}>Save</Button>
      </div>
    </form>
  );
}

interface FieldProps {
  readonly label: string;
  readonly unit: ReactNode;
  readonly value: string;
  readonly onValue: (value: string) => void;
  /** The number, or what is wrong. */
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
          className="h-6 w-32 rounded-sm border border-line-strong bg-bg px-2 text-end tabular-nums aria-invalid:border-bad"
        />
        <span className="text-dim">{unit}</span>
      </div>
      {problem !== null && <p id={`${id}-wrong`} className="ps-30 text-sm text-bad"><Sign of="cross" className="me-1" />{problem}</p>}
    </div>
  );
}
