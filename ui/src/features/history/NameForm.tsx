/** A form with one field for the name of a call, and errors below the field. */
import { useEffect, useId, useRef, useState, type KeyboardEvent } from "react";

import type { ExistingName } from "../../ipc/bindings";
import { errorOf } from "../../lib/errorOf";
import { Button } from "../../components/Button";
import { Sign } from "../../components/Icon";
import { Reported } from "../../components/Reported";
import { useOperation } from "../../lib/useOperation";

/** Maximum length of a name that the engine accepts. */
const NAME_MAX = 120;

interface Props {
  readonly label: string;
  readonly first?: string;
  /** The label of the submit button. */
  readonly verb: string;
  /** The names of saved calls that the user may replace. */
  readonly taken?: readonly string[] | undefined;
  /** Submits the name. Returns an error message or `null`, or throws the engine's error. */
  readonly onName: (name: string, existing: ExistingName) => Promise<string | null>;
  readonly onDone: () => void;
  readonly onLeave: () => void;
}

export function NameForm({ label, first = "", verb, taken = [], onName, onDone, onLeave }: Props) {
  const id = useId();
  const [name, setName] = useState(first);
  const [unfit, setUnfit] = useState<string | null>(null);
  const operation = useOperation();
  const wrong = unfit ?? operation.problem;
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.select(), []);

  const send = async (existing: ExistingName) => {
    if (operation.busy) return;
    let problem = null as string | null;
    const isDone = await operation.go(() => errorOf(async () => {
      problem = name.trim() === "" ? "Enter a name." : await onName(name.trim(), existing);
    }));
    setUnfit(problem);
    if (isDone && problem === null) onDone();
    else field.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Enter") void send("keep");
    else if (event.key === "Escape") onLeave();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const canReplace = wrong !== null && typeof wrong !== "string" && wrong.code === "saved-name-refused" && taken.includes(name.trim());
  return (
    <div className="flex min-w-0 flex-1 flex-col gap-1">
      <div className="flex min-w-0 flex-wrap items-center gap-2">
        <label htmlFor={id} className="text-sm text-dim">{label}</label>
        <input
          ref={field}
          id={id}
          type="text"
          dir="auto"
          maxLength={NAME_MAX}
          spellCheck={false}
          autoComplete="off"
          // The form appears when the user asks for it, so its field may take the focus.
          // oxlint-disable-next-line jsx-a11y/no-autofocus
          autoFocus
          aria-invalid={wrong !== null}
          aria-describedby={wrong === null ? undefined : `${id}-wrong`}
          value={name}
          onChange={(event) => {
            setName(event.target.value);
            setUnfit(null);
            operation.forget();
          }}
          onKeyDown={onKeyDown}
          className="h-6 min-w-32 flex-1 basis-40 rounded-sm border border-control bg-bg px-2 aria-invalid:border-bad"
        />
        <Button look="accent" unavailable={operation.busy ? "Saving…" : undefined} onClick={() => void send("keep")}>{verb}</Button>
        {canReplace && <Button onClick={() => void send("replace")}>Replace</Button>}
        <Button look="quiet" onClick={onLeave}>Cancel</Button>
      </div>
      {wrong !== null && (
        <p id={`${id}-wrong`} role="alert" className="text-sm break-words text-bad">
          <Sign of="cross" className="me-1" />{typeof wrong === "string" ? wrong : <Reported report={wrong} />}
        </p>
      )}
    </div>
  );
}
