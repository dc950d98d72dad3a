/** What keeps members from working on this machine, and what to do about it. */
import { useEffect } from "react";

import { useHouse } from "../app/house";
import type { Check, Finding } from "../bridge/bindings";
import { useStore } from "../hall/store";
import { Button } from "../parts/Button";
import { CopyButton } from "../parts/CopyButton";
import { Sign } from "../parts/Icon";
import { Trouble } from "../parts/Trouble";
import { useNow } from "../parts/useNow";
import { number } from "../words/format";
import { ago, moment } from "../words/time";
import { asText, CHECK_WORDS, CHECKS, sumUp, verdictFace } from "./faces";

/** How often `4 min ago` is looked over. */
const AGO_MS = 10_000;

export default function DoctorPage() {
  const { doctor, spoken } = useHouse();
  const { running, done, of, findings, report, atMs, trouble } = useStore(doctor.state, (now) => now);
  const sum = report && sumUp(report);
  const isNew = running === null && !report && !trouble;
  const said = running !== null ? "Looking at this machine…" : sum;
  useEffect(() => {
    if (said !== null) spoken.set(said);
  }, [spoken, said]);
  return (
    <article className="flex min-h-0 flex-1 flex-col gap-3 overflow-y-auto p-4" aria-labelledby="doctor-title">
      <header className="flex flex-wrap items-center gap-2">
        <h1 id="doctor-title" className="text-lg font-semibold">This machine</h1>
        <span className="min-w-0 flex-1 basis-40 text-dim" data-testid="doctor-says">
          {running === null ? sum : of > 0 ? `Looking… ${number(done)} of ${number(of)}` : "Looking…"}
          {report && running === null && <LookedAt atMs={atMs} />}
        </span>
        {running !== null ? (
          <Button onClick={() => doctor.cancel()}>Cancel</Button>
        ) : (
          <Button onClick={() => void doctor.examine()}>{isNew ? "Check this machine" : "Check again"}</Button>
        )}
        {report && <CopyButton what="the report" text={() => asText(report.findings)} />}
      </header>
      {isNew && <p className="max-w-3xl text-dim">The check looks at what the login shell answered, and asks the login shell where that was not done; it asks Node, Python, Docker and their like for their versions, and looks at members' commands, secrets, ports, folders, the disk and processes. It leaves nothing behind.</p>}
      {trouble && <Trouble report={trouble} />}
      {CHECKS.map((check) => (
        <Section key={check} check={check} findings={findings.filter((finding) => finding.check === check)} />
      ))}
    </article>
  );
}

/** How old the report is: it stays until one asks for another. */
function LookedAt({ atMs }: { atMs: number }) {
  const now = useNow(AGO_MS);
  return <span title={moment(atMs)}> Looked {ago(atMs, now)}.</span>;
}

function Section({ check, findings }: { check: Check; findings: readonly Finding[] }) {
  if (findings.length === 0) return null;
  return (
    <section aria-labelledby={`doctor-${check}`} className="flex flex-col gap-1">
      <h2 id={`doctor-${check}`} className="font-semibold">{CHECK_WORDS[check]}</h2>
      <ul className="flex flex-col gap-1">
        {keyed(findings).map(({ key, finding }) => <Row key={key} finding={finding} />)}
      </ul>
    </section>
  );
}

/** Keys that stay when the report puts what came into its order. */
function keyed(findings: readonly Finding[]): { key: string; finding: Finding }[] {
  const seen = new Map<string, number>();
  return findings.map((finding) => {
    const before = seen.get(finding.subject) ?? 0;
    seen.set(finding.subject, before + 1);
    return { key: `${before} ${finding.subject}`, finding };
  });
}

function Row({ finding }: { finding: Finding }) {
  const house = useHouse();
  const { subject, verdict, found, details, advice, member } = finding;
  const { shape, word, colour } = verdictFace(verdict);
  return (
    <li data-verdict={verdict} className="rounded-sm border border-line px-2 py-1 select-text">
      <p className="break-words">
        <span className={`${colour} font-medium`}>
          <Sign of={shape} className="me-1" />{word}
        </span>{" "}
        <strong className="font-semibold">{subject}</strong>: <span>{found}</span>
      </p>
      {advice !== "" && (
        <p className="break-words"><span aria-hidden>→ </span>{advice}</p>
      )}
      {details.length > 0 && (
        <details className="text-dim">
          <summary className="cursor-default">More of {subject}</summary>
          <ul className="max-h-48 overflow-y-auto font-mono text-sm">
            {details.map((detail, index) => <li key={index} className="break-all">{detail}</li>)}
          </ul>
        </details>
      )}
      {(verdict === "problem" || verdict === "warning") && (
        <div className="mt-1 flex flex-wrap gap-2 empty:hidden">
          {finding.check === "keychain" && <Button onClick={() => house.openSecrets()}>Open the secrets</Button>}
          {member !== null && <Button onClick={() => house.openMember(member)}>Open {member}</Button>}
        </div>
      )}
    </li>
  );
}
