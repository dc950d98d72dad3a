/** The System check page: problems of this computer that keep members from working, and their fixes. */
import { useEffect } from "react";

import type { Check, Finding } from "../../../ipc/bindings";
import { useNavigation } from "../../../lib/navigation/navigation";
import { useSpoken } from "../../../lib/spoken";
import { useStore } from "../../../lib/store";
import { Button } from "../../../components/Button";
import { CopyButton } from "../../../components/CopyButton";
import { Sign } from "../../../components/Icon";
import { Tooltip } from "../../../components/Tooltip";
import { ErrorReport } from "../../../components/ErrorReport";
import { useNow } from "../../../lib/useNow";
import { number } from "../../../lib/format";
import { ago, moment } from "../../../lib/time";
import { useDoctor } from "./examination";
import { asText, CHECK_WORDS, CHECKS, sumUp, VERDICT_FACES } from "./faces";

/** The interval at which labels such as `4 min ago` are updated. */
const AGO_MS = 10_000;

export default function DoctorPage() {
  const doctor = useDoctor();
  const spoken = useSpoken();
  const { running, done, of, findings, report, atMs, trouble } = useStore(doctor.state, (now) => now);
  const sum = report && sumUp(report);
  const isNew = running === null && !report && !trouble;
  const summary = running !== null ? "Checking…" : sum;
  useEffect(() => {
    if (summary !== null) spoken.set(summary);
  }, [spoken, summary]);
  return (
    <article className="flex min-h-0 flex-1 flex-col gap-4 overflow-y-auto p-6" aria-labelledby="doctor-title">
      <header className="flex flex-wrap items-center gap-2">
        <h1 id="doctor-title" className="text-xl font-semibold tracking-[-0.012em]">System check</h1>
        <span className="min-w-0 flex-1 basis-40 text-dim" data-testid="doctor-says">
          {running === null ? sum : of > 0 ? `Checking… ${number(done)} of ${number(of)}` : "Checking…"}
          {report && running === null && <LookedAt atMs={atMs} />}
        </span>
        {running !== null ? (
          <Button onClick={() => doctor.cancel()}>Cancel</Button>
        ) : (
          <Button onClick={() => void doctor.examine()}>{isNew ? "Run system check" : "Run again"}</Button>
        )}
        {report && <CopyButton what="the report" text={() => asText(report.findings)} />}
      </header>
      {isNew && <p className="max-w-3xl text-dim">Checks your login shell, Node, Python, Docker, and each member's command, secrets, port and folder. Changes nothing.</p>}
      {trouble && <ErrorReport report={trouble} />}
      {CHECKS.map((check) => (
        <Section key={check} check={check} findings={findings.filter((finding) => finding.check === check)} />
      ))}
    </article>
  );
}

/** A label for the age of the report. */
function LookedAt({ atMs }: { atMs: number }) {
  const now = useNow(AGO_MS);
  return <Tooltip text={moment(atMs)}><span> Checked {ago(atMs, now)}</span></Tooltip>;
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

/** React keys that stay the same when the finished report changes the order of the findings. */
function keyed(findings: readonly Finding[]): { key: string; finding: Finding }[] {
  const seen = new Map<string, number>();
  return findings.map((finding) => {
    const before = seen.get(finding.subject) ?? 0;
    seen.set(finding.subject, before + 1);
    return { key: `${before} ${finding.subject}`, finding };
  });
}

function Row({ finding }: { finding: Finding }) {
  const navigation = useNavigation();
  const { subject, verdict, found, details, advice, member } = finding;
  const { shape, word, colour } = VERDICT_FACES[verdict];
  return (
    <li data-verdict={verdict} className="rounded-md border border-line px-4 py-2 select-text">
      <p className="break-words">
        <span className={`${colour} font-medium`}>
          <Sign of={shape} className="me-1" />{word}
        </span>{" "}
        <strong className="font-semibold">{subject}</strong>: <span>{found}</span>
      </p>
      {advice !== "" && (
        <p className="break-words">Fix: {advice}</p>
      )}
      {details.length > 0 && (
        <details className="text-dim">
          <summary className="cursor-default">Details of {subject}</summary>
          <ul className="max-h-48 overflow-y-auto font-mono text-sm">
            {details.map((detail, index) => <li key={index} className="break-all">{detail}</li>)}
          </ul>
        </details>
      )}
      {(verdict === "problem" || verdict === "warning") && (
        <div className="mt-1 flex flex-wrap gap-2 empty:hidden">
          {finding.check === "keychain" && <Button onClick={() => navigation.openSecrets()}>Open Secrets</Button>}
          {member !== null && <Button onClick={() => navigation.openMember(member)}>Open {member}</Button>}
        </div>
      )}
    </li>
  );
}
