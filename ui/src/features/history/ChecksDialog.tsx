/** The dialog that creates checks from recorded calls. While the calls are repeated, it can cancel this. */
import { useCallback, useEffect, useId, useRef, useState, type SubmitEvent } from "react";

import { Button } from "../../components/Button";
import { CopyButton } from "../../components/CopyButton";
import { ErrorReport } from "../../components/ErrorReport";
import { Sign } from "../../components/Icon";
import type { CallId, ChecksTarget, CreatedCheck, CreatedChecks } from "../../ipc/bindings";
import { newCallId } from "../../lib/callId";
import { useDesktop } from "../../lib/desktop";
import { errorOf } from "../../lib/errorOf";
import { counted, listed } from "../../lib/format";
import { useHall } from "../../lib/hall/hall";
import { useNavigation } from "../../lib/navigation/navigation";
import { quoted } from "../../lib/shell";
import { useOperation } from "../../lib/useOperation";
import { CallsDialog, LeftOut, type CallsDialogProps } from "./CallsDialog";
import { membersOf } from "./recordedCalls";

/** Maximum number of members in the label of a choice. */
const NAMED_MAX = 3;

const SAVED: Record<ChecksTarget["kind"], string> = {
  manifests: "The checks are now examples in plugin.json.",
  suite: "The checks are in the suite file. Run it with this command in a terminal.",
};

interface Created extends CreatedChecks {
  readonly target: ChecksTarget;
}

export function ChecksDialog({ calls, onClose, onLeft }: CallsDialogProps) {
  const hall = useHall();
  const { pickPath } = useDesktop();
  const operation = useOperation();
  const id = useId();
  const [inFile, setInFile] = useState(false);
  const [changing, setChanging] = useState(false);
  const [repeating, setRepeating] = useState(false);
  const [created, setCreated] = useState<Created | null>(null);
  /** The id of the pending request, which is cancelled when the dialog closes. */
  const running = useRef<CallId | null>(null);
  const isClosed = useRef(false);
  const cancel = useCallback(() => {
    if (running.current !== null) hall.ask("cancel_call", { call: running.current }).catch(() => undefined);
  }, [hall]);
  useEffect(() => {
    isClosed.current = false;
    return () => {
      isClosed.current = true;
      cancel();
    };
  }, [cancel]);
  const members = membersOf(calls);
  const named = members.length > NAMED_MAX ? counted(members.length, { one: "member", other: "members" }) : listed(members);
  const count = counted(calls.length, { one: "call", other: "calls" });

  const pickTarget = async (): Promise<ChecksTarget | null> => {
    if (!inFile || !pickPath) return { kind: "manifests" };
    const [first = "guild-hall", ...others] = members;
    const path = await pickPath({ kind: "new-file", suggestedName: `${others.length === 0 ? first : "guild-hall"}.suite.json` });
    return path === null ? null : { kind: "suite", path };
  };
  const create = (event: SubmitEvent) => {
    event.preventDefault();
    void operation.look(async () => {
      const call = newCallId();
      const report = await errorOf(async () => {
        const target = await pickTarget();
        // The dialog may have closed while the user chose the file.
        if (target === null || isClosed.current) return;
        running.current = call;
        setRepeating(true);
        const checks = await hall.ask("create_checks", { call, calls: calls.map((entry) => entry.id), target, changing });
        setCreated({ ...checks, target });
      });
      running.current = null;
      setRepeating(false);
      return report?.code === "call-cancelled" ? null : report;
    });
  };
  return (
    <CallsDialog
      title={`Create checks from ${count}`}
      about={created === null ? "Guild Hall repeats each call twice, to find the parts of the results that change, such as times." : SAVED[created.target.kind]}
      onClose={onClose}
      onLeft={onLeft}
      onEscape={repeating ? cancel : onClose}
    >
      {created === null ? (
        <form onSubmit={create} className="flex flex-col gap-3">
          <fieldset disabled={repeating} className="flex flex-col gap-1">
            <legend className="mb-1 font-medium">Save as</legend>
            <label className="flex items-baseline gap-2">
              <input type="radio" name={id} checked={!inFile} onChange={() => setInFile(false)} />
              <span className="min-w-0 break-words">Examples in plugin.json of <bdi>{named}</bdi></span>
            </label>
            {pickPath && (
              <label className="flex items-baseline gap-2">
                <input type="radio" name={id} checked={inFile} onChange={() => setInFile(true)} />
                A suite file
              </label>
            )}
          </fieldset>
          <label className="flex items-baseline gap-2">
            <input type="checkbox" checked={changing} disabled={repeating} aria-describedby={changing ? `${id}-changing` : undefined} onChange={({ target }) => setChanging(target.checked)} />
            Also repeat tools that may change data
          </label>
          {changing && (
            <p id={`${id}-changing`} className="text-sm break-words text-warn">
              <Sign of="warning" className="me-1" />
              These calls really run twice, with all their effects.
            </p>
          )}
          {operation.problem && <ErrorReport report={operation.problem} />}
          <div className="flex flex-wrap items-center justify-end gap-2">
            <span role="status" className="min-w-0 flex-1 text-dim">{repeating && `Repeating ${count}…`}</span>
            <Button onClick={repeating ? cancel : onClose}>Cancel</Button>
            <Button look="accent" type="submit" unavailable={operation.busy ? "In progress" : undefined}>Create</Button>
          </div>
        </form>
      ) : (
        <Result created={created} onClose={onClose} />
      )}
    </CallsDialog>
  );
}

/** The created checks, the command or the pages that run them, and the calls that were left out. */
function Result({ created: { checks, files, leftOut, missing, target }, onClose }: { readonly created: Created; readonly onClose: () => void }) {
  const navigation = useNavigation();
  const head = useRef<HTMLHeadingElement>(null);
  // The button that had the focus is gone.
  useEffect(() => head.current?.focus(), []);
  const command = `guildhall dev --once --suite ${quoted(files[0] ?? "")}`;
  const members = [...new Set(checks.map(({ member }) => member))];
  return (
    <>
      {target.kind === "suite" && (
        <div className="flex items-center gap-2 rounded-md border border-line px-3 py-1.5">
          <code data-testid="suite-command" dir="ltr" className="min-w-0 flex-1 font-mono text-sm break-all select-text">{command}</code>
          <CopyButton what="the command" text={() => command} />
        </div>
      )}
      <h3 ref={head} tabIndex={-1} className="font-semibold outline-none">Created {counted(checks.length, { one: "check", other: "checks" })}</h3>
      <ul aria-label="Created checks" className="flex flex-col gap-2 select-text">
        {checks.map((check) => (
          <Check key={JSON.stringify([check.member, check.name])} check={check} />
        ))}
      </ul>
      <LeftOut calls={leftOut} missing={missing} />
      <div className="flex flex-wrap justify-end gap-2">
        {target.kind === "manifests" && members.map((member) => <Button key={member} onClick={() => navigation.openMember(member)}>Open {member}</Button>)}
        <Button onClick={onClose}>Close</Button>
      </div>
    </>
  );
}

function Check({ check: { member, tool, name, expects, volatile, asks } }: { readonly check: CreatedCheck }) {
  return (
    <li className="rounded-md border border-line px-3 py-2 break-words">
      <p className="flex flex-wrap items-baseline gap-x-2">
        <bdi className="font-medium">{name}</bdi>
        <span className="text-sm text-dim"><bdi>{member}</bdi> <code className="font-mono">{tool}</code></span>
      </p>
      <ul className="text-sm">
        {expects.map((condition, index) => (
          <li key={index}>{condition}</li>
        ))}
      </ul>
      {volatile.length > 0 && <p className="text-sm text-dim">Not compared: {volatile.join(", ")}</p>}
      {asks.length > 0 && <p className="text-sm text-dim">Asks for: {asks.join(", ")}</p>}
    </li>
  );
}
