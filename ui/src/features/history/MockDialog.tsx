/** The dialog that creates a member that answers from recorded calls. */
import { useEffect, useId, useRef, useState, type SubmitEvent } from "react";

import { Button } from "../../components/Button";
import { ErrorReport } from "../../components/ErrorReport";
import { Sign } from "../../components/Icon";
import { Reported } from "../../components/Reported";
import { Select } from "../../components/Select";
import type { CreatedMock } from "../../ipc/bindings";
import { errorOf } from "../../lib/errorOf";
import { counted } from "../../lib/format";
import { useHall } from "../../lib/hall/hall";
import { useNavigation } from "../../lib/navigation/navigation";
import { showToast } from "../../lib/toasts";
import { useOperation } from "../../lib/useOperation";
import { CallsDialog, LeftOut, type CallsDialogProps } from "./CallsDialog";
import { membersOf } from "./recordedCalls";

export function MockDialog({ calls, onClose, onLeft }: CallsDialogProps) {
  const hall = useHall();
  const navigation = useNavigation();
  const operation = useOperation();
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const members = membersOf(calls);
  const [of, setOf] = useState(members[0] ?? "");
  /** The name that the user has entered; `null` before that. */
  const [typed, setTyped] = useState<string | null>(null);
  const [created, setCreated] = useState<CreatedMock | null>(null);
  const name = typed ?? `${of}-mock`;
  const ofMember = calls.filter(({ member }) => member === of);
  const { problem } = operation;
  const wrongName = problem?.code === "adoption-refused" ? problem : null;
  const missing = name.trim() === "" ? "Enter a name" : undefined;

  const create = async (event: SubmitEvent) => {
    event.preventDefault();
    if (missing !== undefined) return;
    const isDone = await operation.go(() => errorOf(async () => {
      const mock = await hall.ask("create_mock", { calls: ofMember.map((entry) => entry.id), of, member: name.trim() });
      const text = `${mock.member} answers from ${counted(mock.calls, { one: "call", other: "calls" })}`;
      showToast({ text, action: { label: "Open", onClick: () => navigation.openMember(mock.member) } });
      if (mock.leftOut.length === 0 && mock.missing === 0) onClose();
      else setCreated(mock);
    }));
    if (!isDone) field.current?.focus();
  };
  return (
    <CallsDialog
      title="Create a mock member"
      about="The mock answers from these calls and contacts no server. Calls with other arguments get the closest answer, marked as such."
      onClose={onClose}
      onLeft={onLeft}
    >
      {created === null ? (
        <form onSubmit={(event) => void create(event)} noValidate className="flex flex-col gap-3">
          {members.length > 1 && (
            <div className="flex flex-col gap-1">
              <label htmlFor={`${id}-of`} className="font-medium">Member</label>
              <Select
                id={`${id}-of`}
                value={of}
                options={members.map((member) => ({ value: member, label: member }))}
                onValue={(member) => {
                  setOf(member);
                  operation.forget();
                }}
              />
            </div>
          )}
          <div className="flex flex-col gap-1">
            <label htmlFor={id} className="font-medium">Name</label>
            <input
              ref={field}
              id={id}
              value={name}
              maxLength={128}
              spellCheck={false}
              autoComplete="off"
              aria-invalid={wrongName !== null}
              aria-describedby={wrongName === null ? undefined : `${id}-wrong`}
              onFocus={(event) => event.target.select()}
              onChange={({ target }) => {
                setTyped(target.value);
                operation.forget();
              }}
              className="h-8 w-full rounded-sm border border-control bg-bg px-2 aria-invalid:border-bad"
            />
            {wrongName !== null && (
              <p id={`${id}-wrong`} role="alert" className="text-sm break-words text-bad">
                <Sign of="cross" className="me-1" />
                <Reported report={wrongName} />
              </p>
            )}
          </div>
          {problem !== null && wrongName === null && <ErrorReport report={problem} />}
          <div className="flex flex-wrap items-center justify-end gap-2">
            <span className="min-w-0 flex-1 text-sm text-dim">From {counted(ofMember.length, { one: "call", other: "calls" })}</span>
            <Button onClick={onClose}>Cancel</Button>
            <Button look="accent" type="submit" unavailable={operation.busy ? "Creating…" : missing}>Create</Button>
          </div>
        </form>
      ) : (
        <Result created={created} onClose={onClose} />
      )}
    </CallsDialog>
  );
}

function Result({ created: { member, calls, leftOut, missing }, onClose }: { readonly created: CreatedMock; readonly onClose: () => void }) {
  const navigation = useNavigation();
  const head = useRef<HTMLHeadingElement>(null);
  // The button that had the focus is gone.
  useEffect(() => head.current?.focus(), []);
  return (
    <>
      <h3 ref={head} tabIndex={-1} className="font-semibold outline-none">Created {member} from {counted(calls, { one: "call", other: "calls" })}</h3>
      <LeftOut calls={leftOut} missing={missing} />
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={() => navigation.openMember(member)}>Open {member}</Button>
        <Button onClick={onClose}>Close</Button>
      </div>
    </>
  );
}
