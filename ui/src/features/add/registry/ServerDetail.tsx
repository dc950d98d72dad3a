/** The details of a registry server: its description, the full command of each install option, and the install form. */
import { useEffect, useId, useRef } from "react";

import { Select } from "../../../components/Select";
import type { RegistryServer } from "../../../ipc/bindings";
import { Sign } from "../../../components/Icon";
import { IconButton } from "../../../components/IconButton";
import { exact } from "../../../lib/exact";
import { useNavigation } from "../../../lib/navigation/navigation";
import { useStore } from "../../../lib/store";
import { Button } from "../../../components/Button";
import { CopyButton } from "../../../components/CopyButton";
import { Reading } from "../../../components/Reading";
import { ErrorReport } from "../../../components/ErrorReport";
import { Foot } from "../frame";
import { STANDING_FACES } from "./faces";
import { Ways } from "./Ways";
import { useRegistryStore } from "./registryStore";

const installedFromHere = (member: string, version: string, newer: boolean) =>
  `Installed as ${member}${version === "" ? "" : `, version ${version}`}${newer ? ". A newer version is available." : ""}`;

export function ServerDetail() {
  const registry = useRegistryStore();
  const looked = useStore(registry.looked, (now) => now);
  const heading = useRef<HTMLHeadingElement>(null);
  const opened = looked?.detail ? looked.server : null;
  // Focuses the heading of a newly opened server, but not when the user returns to a server that is already open.
  const before = useRef(opened);
  useEffect(() => {
    if (opened !== null && opened !== before.current) heading.current?.focus();
    before.current = opened;
  }, [opened]);
  const titleId = useId();
  if (looked === null) return null;
  const { detail, trouble, server } = looked;
  return (
    <section aria-labelledby={titleId} className="flex min-w-0 flex-col gap-3" data-testid="registry-server">
      <header className="flex items-start gap-2">
        <IconButton icon="back" label="Back to the list" onClick={() => registry.close()} />
        <h2 id={titleId} ref={heading} tabIndex={-1} className="min-w-0 flex-1 pt-0.5 text-lg font-semibold wrap-anywhere">
          {exact(detail === null || detail.title === "" ? server : detail.title)}
        </h2>
      </header>
      {trouble && <ErrorReport report={trouble} />}
      {detail === null && <Foot />}
      {detail === null && !trouble && <Reading what={exact(server)} className="" />}
      {detail && <About detail={detail} version={looked.version} />}
      {detail && <Ways key={`${detail.source.source} ${detail.server} ${detail.version}`} source={detail.source.source} detail={detail} />}
    </section>
  );
}

function About({ detail, version }: { detail: RegistryServer; version: string | null }) {
  const registry = useRegistryStore();
  const navigation = useNavigation();
  const id = useId();
  const { shape, word, colour } = STANDING_FACES[detail.standing];
  return (
    <>
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <code className="font-mono text-sm wrap-anywhere select-text">{exact(detail.server)}</code>
        <span><Sign of={shape} className={`me-1 ${colour}`} />{word}</span>
        {detail.versions.length > 1 ? (
          <label htmlFor={id} className="inline-flex items-center gap-2">
            Version
            <Select id={id} value={version ?? detail.version} options={detail.versions.map((one) => ({ value: one, label: exact(one) }))} onValue={(one) => void registry.look(detail.server, one)} />
          </label>
        ) : (
          detail.version !== "" && <span>Version {exact(detail.version)}</span>
        )}
        {detail.publishedAt !== null && <span className="text-dim">published {exact(detail.publishedAt.slice(0, 10))}</span>}
      </p>
      {detail.standing !== "active" && (
        <p className="break-words">
          <Sign of={shape} className={`me-1 ${colour}`} />
          {detail.standing === "deleted" ? "Removed from the registry." : "Deprecated by its publisher."} {exact(detail.standingMessage)}
        </p>
      )}
      <p className="break-words select-text">{exact(detail.description)}</p>
      {[["Page", detail.website] as const, ["Source", detail.repository] as const].map(
        ([what, address]) =>
          address !== null && (
            <p key={what} className="flex flex-wrap items-center gap-2 text-dim">
              {what}: <code className="min-w-0 font-mono text-sm wrap-anywhere select-text">{exact(address)}</code>
              <CopyButton what="the address" text={() => address} />
            </p>
          ),
      )}
      {detail.members.map(({ member, version: installed, newer }) => (
        <p key={member} className="flex flex-wrap items-center gap-2">
          <span data-testid="registry-installed">
            <Sign of="dot" className={`me-1 ${newer ? "text-accent" : "text-ok"}`} />
            {installedFromHere(member, exact(installed), newer)}
          </span>
          <Button onClick={() => navigation.openMember(member)}>Open {member}</Button>
        </p>
      ))}
    </>
  );
}
