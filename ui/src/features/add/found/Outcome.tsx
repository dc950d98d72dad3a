/** The outcomes of the last import, if the user needs to read them: for each server, its new member or its error. */
import { useEffect, useRef, type RefObject } from "react";

import { Button } from "../../../components/Button";
import { Sign } from "../../../components/Icon";
import { Reported } from "../../../components/Reported";
import { ErrorReport } from "../../../components/ErrorReport";
import { useSpoken } from "../../../lib/spoken";
import { useImportSource } from "./importSource";
import type { SelectionState, ImportOutcome } from "./selection";
import { OpenMember } from "./ServerRow";
import { exact } from "../../../lib/exact";
import { counted, plural } from "../../../lib/format";

const goneWords = (names: readonly string[]) =>
  `${names.join(", ")}: ${plural(names.length, { one: "its file has changed, so it is no longer selected.", other: "their files have changed, so they are no longer selected." })} Review them again.`;

interface Props {
  readonly selection: SelectionState;
  /** The element that gets the focus when the user closes the outcomes. */
  readonly returnTo: RefObject<HTMLElement | null>;
}

export function Outcome({ selection: { ended, trouble, gone }, returnTo }: Props) {
  const spoken = useSpoken();
  const source = useImportSource();
  const heading = useRef<HTMLHeadingElement>(null);
  // Prevents the heading from taking the focus again when the user returns to the panel.
  const announced = useRef(ended);
  const sum = ended.length > 0 ? sumOf(ended) : null;
  useEffect(() => {
    if (announced.current === ended) return;
    announced.current = ended;
    if (ended.length === 0) return;
    spoken.set(sumOf(ended));
    heading.current?.focus();
  }, [ended, spoken]);
  return (
    <>
      {gone.length > 0 && (
        <p data-testid="found-let-go" role="alert" className="rounded-md border border-warn bg-warn-fill px-3 py-2 wrap-anywhere">
          <Sign of="warning" className="text-warn me-1" />
          {goneWords(gone.map(exact))}
        </p>
      )}
      {trouble && <ErrorReport report={trouble} />}
      {sum !== null && (
        <section aria-labelledby="found-outcome" data-testid="found-outcome" className="flex flex-col gap-1 rounded-md border border-control p-3">
          <div className="flex flex-wrap items-center gap-2">
            <h2 data-testid="outcome-sum" id="found-outcome" ref={heading} tabIndex={-1} className="min-w-0 flex-1 font-semibold outline-none">{sum}</h2>
            <Button
              look="quiet"
              aria-label="Close the result"
              onClick={() => {
                source.selection.clear();
                returnTo.current?.focus();
              }}
            >
              <Sign of="close" />
            </Button>
          </div>
          <ul className="flex flex-col gap-1">
            {ended.map((one) => <End key={one.id} ended={one} />)}
          </ul>
        </section>
      )}
    </>
  );
}

function End({ ended: { called, end } }: { ended: ImportOutcome }) {
  if (end.kind === "refused") {
    return (
      <li data-testid="outcome-refused" data-code={end.report.code} className="wrap-anywhere select-text">
        <span className="text-bad"><Sign of="cross" className="me-1" />Failed</span> <strong className="font-semibold">{exact(called)}</strong>: <Reported report={end.report} />
      </li>
    );
  }
  return (
    <li className="flex flex-wrap items-center gap-x-2 gap-y-1">
      <span data-testid="outcome-adopted" className="min-w-0 wrap-anywhere select-text">
        <span className="text-ok"><Sign of="dot" className="me-1" />Added</span> <strong className="font-semibold">{exact(called)}</strong>, in <code className="font-mono text-sm">{exact(end.folder)}</code>
        {end.secrets.length > 0 && `; saved as secrets: ${end.secrets.join(", ")}`}
      </span>
      <OpenMember member={end.member} />
      {end.warning && (
        <p className="basis-full break-words" data-code={end.warning.code}>
          <Sign of="warning" className="text-warn me-1" /><Reported report={end.warning} />
        </p>
      )}
    </li>
  );
}

function sumOf(ended: readonly ImportOutcome[]): string {
  const added = ended.filter(({ end }) => end.kind === "member").length;
  const refused = ended.length - added;
  return `${[...(added > 0 ? [`${counted(added, { one: "server", other: "servers" })} added`] : []), ...(refused > 0 ? [`${counted(refused, { one: "server", other: "servers" })} failed`] : [])].join(", ")}.`;
}
