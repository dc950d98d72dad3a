/**
 * The fields of a selected server: the name of its future member, and values for the inputs that its configuration
 * file declares.
 */
import { useEffect, useId, useState } from "react";

import { Select } from "../../../components/Select";
import type { FoundInput, FoundServer } from "../../../ipc/bindings";
import { Sign } from "../../../components/Icon";
import { useImportSource } from "./importSource";
import { fieldKey, mustBeGiven, NAME_MAX, type SelectionState, type Choice } from "./selection";
import { exact } from "../../../lib/exact";

const FIELD = "h-8 w-full max-w-md rounded-sm border border-control bg-bg px-2 placeholder:text-faint aria-invalid:border-bad";
/** The maximum length of a value. The engine has the same limit, in bytes. */
const VALUE_MAX = 16 * 1024;

interface Props {
  readonly server: FoundServer;
  readonly choice: Choice;
  /** The validation error of the name. */
  readonly wrong: string | null;
  readonly missing: SelectionState["missing"];
  readonly busy: boolean;
}

export function ImportFields({ server: { id, name, inputs, container }, choice, wrong, missing, busy }: Props) {
  const { selection } = useImportSource();
  const prefix = useId();
  return (
    <div role="group" aria-label={`Settings of ${name}`} className="flex flex-col gap-2">
      <div className="flex flex-col gap-1">
        <label htmlFor={`${prefix}-name`}>Member name</label>
        <input
          id={`${prefix}-name`}
          autoComplete="off"
          spellCheck={false}
          maxLength={NAME_MAX}
          disabled={busy}
          value={choice.name}
          aria-invalid={wrong !== null}
          aria-describedby={`${prefix}-name-says`}
          onChange={(event) => selection.rename(id, event.target.value)}
          className={FIELD}
        />
        <p id={`${prefix}-name-says`} className="text-sm break-words text-bad empty:hidden">{wrong !== null && <><Sign of="cross" className="me-1" />{wrong}</>}</p>
      </div>
      {container?.kind === "container" && (
        <div className="flex flex-col gap-1">
          <label className="inline-flex items-baseline gap-2">
            <input
              type="checkbox"
              aria-describedby={`${prefix}-keep-says`}
              checked={choice.keepCommand}
              disabled={busy}
              onChange={(event) => selection.keepCommand(id, event.target.checked)}
            />
            Keep the command unchanged
          </label>
          <p id={`${prefix}-keep-says`} className="text-sm break-words text-dim">The container of a command may keep running after the command ends. Guild Hall always removes a member's container, and runs it without extra capabilities or privileges. Keep the command for servers that need those.</p>
        </div>
      )}
      {inputs.map((input) => (
        <InputField key={input.id} server={id} input={input} missing={missing.has(fieldKey(id, input.id))} busy={busy} />
      ))}
    </div>
  );
}

const OF_ENVIRONMENT = "env:";

function titleOf({ id, description }: FoundInput): string {
  if (id.startsWith(OF_ENVIRONMENT)) return `Variable ${exact(id.slice(OF_ENVIRONMENT.length))}`;
  return exact(description === "" ? id : description);
}

interface InputProps {
  readonly server: string;
  readonly input: FoundInput;
  readonly missing: boolean;
  readonly busy: boolean;
}

function InputField({ server, input, missing, busy }: InputProps) {
  const { selection } = useImportSource();
  const id = useId();
  const { secret, required, default: usual, choices } = input;
  const needed = mustBeGiven(input);
  // When the field of a secret is removed, the secret is cleared too, so that no invisible secret is sent.
  useEffect(() => (secret ? () => selection.setValue(server, input.id, "") : undefined), [selection, server, input.id, secret]);
  const common = {
    id: `${id}-value`,
    disabled: busy,
    required: needed,
    "aria-invalid": missing,
    "aria-describedby": `${id}-says`,
    defaultValue: secret ? "" : selection.givenValue(server, input.id),
  };
  const [choice, setChoice] = useState(common.defaultValue);
  const say = (value: string) => selection.setValue(server, input.id, value);
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={common.id} className="wrap-anywhere">
        {titleOf(input)}
        {needed && <span className="text-dim"> (required)</span>}
      </label>
      {choices.length > 0 ? (
        <Select<string>
          id={common.id}
          aria-required={needed}
          aria-invalid={missing}
          aria-describedby={common["aria-describedby"]}
          className="self-start"
          unavailable={busy ? "Importing…" : undefined}
          value={choice}
          options={[{ value: "", label: usual === null ? "Select a value" : `${exact(usual)} (default)` }, ...choices.map((one) => ({ value: one, label: exact(one) }))]}
          onValue={(value) => {
            setChoice(value);
            say(value);
          }}
        />
      ) : (
        // The field is uncontrolled, so that React state never contains the typed text.
        <input
          {...common}
          type={secret ? "password" : "text"}
          autoComplete="off"
          spellCheck={false}
          maxLength={VALUE_MAX}
          placeholder={usual === null ? undefined : exact(usual)}
          className={FIELD}
          onChange={(event) => say(event.target.value)}
        />
      )}
      <p id={`${id}-says`} className="text-sm break-words text-dim empty:hidden">
        {missing && <span className="text-bad"><Sign of="cross" className="me-1" />Required. </span>}
        {says(input, required)}
      </p>
    </div>
  );
}

function says({ id, description, secret }: FoundInput, required: boolean): string {
  return [
    id.startsWith(OF_ENVIRONMENT) && exact(description),
    secret && "Saved as a secret.",
    !required && "Optional.",
  ].filter(Boolean).join(" ");
}
