/** All secrets by name: where each is stored, the members that use it, and buttons to change or remove it. */
import { useEffect, useRef, useState } from "react";

import type { KeychainState, MemberName, Report, SecretPlace, SecretView } from "../../../ipc/bindings";
import { useNavigation } from "../../../lib/navigation/navigation";
import type { WantedSecret } from "../../../lib/navigation/places";
import { useSpoken } from "../../../lib/spoken";
import { useStore } from "../../../lib/store";
import { AskFirst } from "../../../components/AskFirst";
import { Button } from "../../../components/Button";
import { EmptyState } from "../../../components/EmptyState";
import { Sign } from "../../../components/Icon";
import { Reading } from "../../../components/Reading";
import { Reported } from "../../../components/Reported";
import { ErrorReport } from "../../../components/ErrorReport";
import type { SignName } from "../../../components/signs";
import { SetSecret } from "./SetSecret";
import { useSecretStore } from "./secretStore";

const KEYCHAIN_WORDS: Record<KeychainState, string> = {
  ready: "Stored in your keychain",
  absent: "No keychain",
  unanswered: "Keychain isn't responding",
};

const KEPT_IN: Record<SecretPlace, string> = { keychain: "In the keychain", file: "In secrets.json" };

const NEW = Symbol("new");
type Setting = { name: string; member: MemberName | null } | typeof NEW | null;

export default function SecretsPage({ wanted }: { wanted: WantedSecret | null }) {
  const secrets = useSecretStore();
  const spoken = useSpoken();
  const known = useStore(secrets.known, (now) => now);
  const trouble = useStore(secrets.trouble, (now) => now);
  const [setting, setSetting] = useState<Setting>(wanted);
  const [asked, setAsked] = useState(wanted);
  if (asked !== wanted) {
    setAsked(wanted);
    setSetting(wanted);
  }
  useEffect(() => void secrets.read(), [secrets]);
  const [removing, setRemoving] = useState<SecretView | null>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const done = () => {
    setSetting(null);
    // Waits until the form, which has the focus, is removed.
    requestAnimationFrame(() => heading.current?.focus());
  };
  const remove = async ({ name }: SecretView) => {
    const refused = await secrets.remove(name);
    if (refused) return refused;
    spoken.set(`${name} was removed.`);
    setRemoving(null);
    return null;
  };
  return (
    <article className="flex min-h-0 flex-1 flex-col gap-4 overflow-y-auto p-6" aria-labelledby="secrets-title">
      <header className="flex flex-wrap items-center gap-2">
        <h1 id="secrets-title" ref={heading} tabIndex={-1} className="text-xl font-semibold tracking-[-0.012em] outline-none">Secrets</h1>
        {known && <Keychain state={known.keychain} />}
        <span className="flex-1" />
        <Button onClick={() => setSetting(NEW)}>New secret…</Button>
      </header>
      <p className="text-dim">
        Use a secret in plugin.json as <code className="font-mono">{"${secret:NAME}"}</code>. Values are never shown.
      </p>
      {trouble && <ErrorReport report={trouble} />}
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
      {known?.secrets.length === 0 && (
        <EmptyState icon="key" title="No secrets yet">Tokens and passwords of your members are kept here, out of plugin.json.</EmptyState>
      )}
      {known && known.secrets.length > 0 && (
        <ul aria-label="Secrets" className="divide-y divide-line rounded-md border border-line">
          {known.secrets.map((secret) => (
            <Row
              key={secret.name}
              secret={secret}
              onSet={(member) => setSetting({ name: secret.name, member })}
              onRemove={() => setRemoving(secret)}
            />
          ))}
        </ul>
      )}
      {removing && (
        <AskFirst title={`Remove ${removing.name}?`} does="Remove" keep="Cancel" onDo={() => remove(removing)} onClose={() => setRemoving(null)} returnTo={heading}>
          This can't be undone. {removing.members.length > 0 && `${removing.members.join(", ")} can't start without it.`}
        </AskFirst>
      )}
    </article>
  );
}

const KEYCHAIN: Record<KeychainState, { shape: SignName; colour: string }> = {
  ready: { shape: "dot", colour: "text-ok" },
  absent: { shape: "ring", colour: "text-warn" },
  unanswered: { shape: "warning", colour: "text-warn" },
};

function Keychain({ state }: { state: KeychainState }) {
  const { shape, colour } = KEYCHAIN[state];
  return (
    <p data-testid="keychain">
      <Sign of={shape} className={`me-1 ${colour}`} />{KEYCHAIN_WORDS[state]}
    </p>
  );
}

function Warning({ report }: { report: Report }) {
  return (
    <p role="note" data-code={report.code} className="rounded-md border border-warn bg-warn-fill px-3 py-2 break-words select-text">
      <Sign of="warning" className="text-warn me-1" />
      <Reported report={report} />
    </p>
  );
}

function Row({ secret, onSet, onRemove }: { secret: SecretView; onSet: (member: MemberName | null) => void; onRemove: () => void }) {
  const navigation = useNavigation();
  const { name, kept, members } = secret;
  const waiting = kept === null ? (members[0] ?? null) : null;
  return (
    <li data-testid="secret" className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2">
      <code className="min-w-0 font-mono break-all select-text">{name}</code>
      <span className={kept === null ? "text-warn" : "text-dim"}>
        <Sign of={kept === null ? "warning" : "dot"} className="me-1" />{kept === null ? "No value" : KEPT_IN[kept]}
      </span>
      <span className="flex min-w-0 flex-1 basis-40 flex-wrap items-baseline text-dim">
        {members.length === 0 ? "Not used" : "Used by "}
        {members.map((member) => (
          <Button key={member} look="quiet" className="max-w-full underline" title={`Open ${member}`} onClick={() => navigation.openMember(member)}>
            <span className="truncate">{member}</span>
          </Button>
        ))}
      </span>
      <span className="ms-auto flex gap-2">
        <Button aria-label={`Set ${name}`} onClick={() => onSet(waiting)}>{kept === null ? "Set…" : "Replace…"}</Button>
        {kept !== null && <Button aria-label={`Remove ${name}`} onClick={onRemove}>Remove…</Button>}
      </span>
    </li>
  );
}
