/** The form for a secret's value. The value is only sent to be stored, and is not kept in the window. */
import { useEffect, useId, useRef, useState, type SubmitEvent } from "react";

import type { MemberName, Report, SecretPlace } from "../../../ipc/bindings";
import { Button } from "../../../components/Button";
import { ErrorReport } from "../../../components/ErrorReport";
import { useHall } from "../../../lib/hall/hall";
import { useSpoken } from "../../../lib/spoken";
import { useSecretStore } from "./secretStore";

const IS_KEPT: Record<SecretPlace, (name: string) => string> = {
  keychain: (name) => `${name} was saved in the keychain.`,
  file: (name) => `${name} was saved in a file.`,
};

interface Props {
  /** The name of the secret; `null` if the user enters the name too. */
  name: string | null;
  /** The member that needs the secret; `null` if there is none. */
  member: MemberName | null;
  onDone: () => void;
}

const FIELD = "h-8 w-full max-w-md rounded-sm border border-control bg-bg px-2";

export function SetSecret({ name: given, member, onDone }: Props) {
  const hall = useHall();
  const secrets = useSecretStore();
  const spoken = useSpoken();
  const id = useId();
  const first = useRef<HTMLInputElement>(null);
  const value = useRef<HTMLInputElement>(null);
  const [name, setName] = useState(given ?? "");
  const [empty, setEmpty] = useState(true);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Report | null>(null);
  useEffect(() => (given === null ? first : value).current?.focus(), [given]);
  /** Whether the form is still mounted. The keychain may respond only after the user has closed the form. */
  const here = useRef(false);
  useEffect(() => {
    here.current = true;
    return () => {
      here.current = false;
    };
  }, []);
  const unavailable = busy ? "Saving…" : name.trim() === "" ? "Enter a name" : empty ? "Enter a value" : undefined;

  const keep = async (place: "file" | null) => {
    const typed = value.current?.value ?? "";
    if (unavailable !== undefined || typed === "") return;
    setBusy(true);
    const answer = await secrets.set(name.trim(), typed, place);
    setBusy(false);
    if ("code" in answer) {
      if (here.current) setProblem(answer);
      else hall.tell(answer);
      return;
    }
    if (value.current) value.current.value = "";
    spoken.set(IS_KEPT[answer.place](answer.name));
    if (member !== null) void hall.tend("start_member", member);
    if (here.current) onDone();
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    void keep(null);
  };
  return (
    <form onSubmit={submit} aria-label={given === null ? "New secret" : `Set ${given}`} className="flex flex-col gap-2 rounded-md border border-control p-3">
      {given === null && (
        <label className="flex flex-col gap-1" htmlFor={`${id}-name`}>
          <span>Name, as in <code className="font-mono">{"${secret:NAME}"}</code></span>
          <input ref={first} id={`${id}-name`} className={FIELD} value={name} autoComplete="off" spellCheck={false} maxLength={256} onChange={(event) => setName(event.target.value)} />
        </label>
      )}
      <label className="flex flex-col gap-1" htmlFor={`${id}-value`}>
        <span>{given === null ? "Value" : `Value of ${given}`}</span>
        {/* The field is uncontrolled, so that React state never contains the value. */}
        <input
          ref={value}
          id={`${id}-value`}
          type="password"
          autoComplete="off"
          spellCheck={false}
          className={FIELD}
          onChange={(event) => setEmpty(event.target.value === "")}
        />
      </label>
      {problem && <ErrorReport report={problem} />}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" look="accent" unavailable={unavailable} onClick={() => undefined}>
          {member === null ? "Save" : `Save and start ${member}`}
        </Button>
        {problem?.code === "keychain-unanswered" && (
          <Button unavailable={unavailable} onClick={() => void keep("file")}>Save to a file instead</Button>
        )}
        <Button onClick={onDone}>Cancel</Button>
      </div>
    </form>
  );
}
