/** All secrets by name: where each is kept, which members use it; to be set and removed. */
import { useEffect, useState } from "react";

import { Trouble } from "../agents/Trouble";
import { useDeed } from "../agents/useDeed";
import { useHouse } from "../app/house";
import type { KeychainState, MemberName, Report, SecretView } from "../bridge/bindings";
import { useStore } from "../hall/store";
import { Button } from "../parts/Button";
import { Reading } from "../parts/Reading";
import type { WantedSecret } from "./secretBook";
import { SetSecret } from "./SetSecret";

const NEW = Symbol("new");
type Setting = { name: string; member: MemberName | null } | typeof NEW | null;

export default function SecretsPage({ wanted }: { wanted: WantedSecret | null }) {
  const { secrets } = useHouse();
  const known = useStore(secrets.known, (now) => now);
  const trouble = useStore(secrets.trouble, (now) => now);
  const [setting, setSetting] = useState<Setting>(wanted);
  const [asked, setAsked] = useState(wanted);
  if (asked !== wanted) {
    setAsked(wanted);
    setSetting(wanted);
  }
  useEffect(() => void secrets.read(), [secrets]);
  const done = () => setSetting(null);
  return (
    <article className="flex min-h-0 flex-1 flex-col gap-3 overflow-y-auto p-4" aria-labelledby="secrets-title">
      <header className="flex flex-wrap items-center gap-2">
        <h1 id="secrets-title" className="text-lg font-semibold">Secrets</h1>
        {known && <Keychain state={known.keychain} />}
        <span className="flex-1" />
        <Button onClick={() => setSetting(NEW)}>New secret…</Button>
      </header>
      <p className="text-dim">
        A manifest names one as <code className="font-mono">{"${secret:NAME}"}</code>. A value can be set and removed, and is never shown.
      </p>
      {trouble && <Trouble report={trouble} />}
      {known?.warning && <Warning report={known.warning} />}
      {setting !== null && (
        <SetSecret
          key={setting === NEW ? "" : setting.name}
          name={setting === NEW ? null : setting.name}
          member={setting === NEW ? null : setting.member}
          onDone={done}
        />
      )}
      {!known && !trouble && <Reading what="the names of the secrets" className="" />}
      {known?.secrets.length === 0 && <p className="text-dim">No secret is kept, and no member uses one.</p>}
      {known && known.secrets.length > 0 && (
        <ul aria-label="Secrets" className="flex flex-col gap-1">
          {known.secrets.map((secret) => (
            <Row key={secret.name} secret={secret} onSet={(member) => setSetting({ name: secret.name, member })} />
          ))}
        </ul>
      )}
    </article>
  );
}

const KEYCHAIN: Record<KeychainState, { shape: string; colour: string; word: string }> = {
  ready: { shape: "●", colour: "text-ok", word: "The keychain answers" },
  absent: { shape: "○", colour: "text-warn", word: "No keychain" },
  unanswered: { shape: "▲", colour: "text-warn", word: "The keychain does not answer" },
};

function Keychain({ state }: { state: KeychainState }) {
  const { shape, colour, word } = KEYCHAIN[state];
  return (
    <p data-testid="keychain">
      <span aria-hidden className={colour}>{shape}</span> {word}
    </p>
  );
}

function Warning({ report }: { report: Report }) {
  return (
    <p role="note" data-code={report.code} className="rounded-md border border-warn bg-warn-fill px-3 py-2 break-words select-text">
      <span aria-hidden className="text-warn">▲ </span>
      {report.message} <span className="text-dim">{report.hint}</span>
    </p>
  );
}

function Row({ secret, onSet }: { secret: SecretView; onSet: (member: MemberName | null) => void }) {
  const house = useHouse();
  const deed = useDeed();
  const { name, kept, members } = secret;
  const waiting = kept === null ? (members[0] ?? null) : null;
  return (
    <li data-testid="secret" className="flex flex-col gap-1 rounded-sm border border-line px-2 py-1">
      <div className="flex flex-wrap items-center gap-2">
        <code className="min-w-0 font-mono break-all select-text">{name}</code>
        <span className={kept === null ? "text-warn" : "text-dim"}>
          {kept === null ? "▲ no value" : kept === "keychain" ? "● in the keychain" : "● in secrets.json"}
        </span>
        <span className="min-w-0 flex-1 text-dim">
          {members.length === 0 ? "no member uses it" : "used by"}{" "}
          {members.map((member) => (
            <Button key={member} look="quiet" onClick={() => house.openMember(member)}>{member}</Button>
          ))}
        </span>
        <Button aria-label={`Set ${name}`} onClick={() => onSet(waiting)}>{kept === null ? "Set…" : "Replace…"}</Button>
        {kept !== null && (
          <Button
            aria-label={`Remove ${name}`}
            unavailable={deed.busy ? "It is being removed" : undefined}
            onClick={() => void deed.go(() => house.secrets.remove(name))}
          >
            Remove
          </Button>
        )}
      </div>
      {deed.problem && <Trouble report={deed.problem} />}
    </li>
  );
}
