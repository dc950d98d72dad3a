/**
 * The review of a member: its launch command and its tools beside the approved versions, with buttons to approve
 * them.
 */
import { useId, useState } from "react";

import { useHall } from "../../lib/hall/hall";
import { useSpoken } from "../../lib/spoken";
import { JustInstalled } from "../add/JustInstalled";
import type { MemberReview, MemberView, ToolName, ToolReview } from "../../ipc/bindings";
import { Band } from "../../components/Badge";
import { Button } from "../../components/Button";
import { Sign } from "../../components/Icon";
import { Reading } from "../../components/Reading";
import { Reported } from "../../components/Reported";
import { ErrorReport } from "../../components/ErrorReport";
import { type Operation, useOperation } from "../../lib/useOperation";
import { counted, number, plural } from "../../lib/format";
import { toTheMinute } from "../../lib/time";
import { LaunchReview } from "./LaunchReview";
import { Revisions } from "./Revisions";
import { ToolRow } from "./ToolRow";
import { type Reviewed, useReview } from "./useReview";

/** The number of tools shown at first. */
const SHOWN_FIRST = 100;

export default function ReviewPanel({ view }: { view: MemberView }) {
  const hall = useHall();
  const reviewed = useReview(hall, view);
  const operation = useOperation();
  const { review, trouble } = reviewed;
  return (
    <div className="flex flex-col gap-6" data-testid="review">
      <JustInstalled member={view.name} />
      {trouble && <ErrorReport report={trouble} />}
      {operation.problem && <ErrorReport report={operation.problem} />}
      {!review && !trouble && <Reading what="the review" className="" />}
      {review?.warning && (
        <div role="note"><Band tone="warn" icon="warning"><Reported report={review.warning} /></Band></div>
      )}
      {review && <Launch review={review} reviewed={reviewed} operation={operation} />}
      {review && <Tools review={review} reviewed={reviewed} operation={operation} />}
      <Revisions member={view.name} listedAtMs={view.listedAtMs} />
    </div>
  );
}

interface PartProps {
  review: MemberReview;
  reviewed: Reviewed;
  operation: Operation;
}

function Launch({ review, reviewed: { act }, operation }: PartProps) {
  const hall = useHall();
  const spoken = useSpoken();
  const { member, launch } = review;
  const accept = async () => {
    if (!launch) return;
    const done = await operation.go(() => act(() => hall.ask("accept_member", { member, hash: launch.hash })));
    if (done) spoken.set(`${member} is approved and starts`);
  };
  return <LaunchReview review={review} busy={operation.busy} onAccept={() => void accept()} />;
}

function Tools({ review, reviewed: { act }, operation }: PartProps) {
  const hall = useHall();
  const spoken = useSpoken();
  const title = useId();
  const { member, list, tools, trust, count, reviewedAtMs, more } = review;
  const [shown, setShown] = useState(SHOWN_FIRST);
  const open = tools.filter(({ difference }) => difference !== "same");
  const busy = operation.busy ? "Approving…" : undefined;
  const accept = async (names: ToolName[] | null, announcement: string) => {
    const done = await operation.go(() => act(() => hall.ask("accept_tools", { member, list, tools: names })));
    if (done) spoken.set(announcement);
  };
  const hold = async (wanted: boolean) => {
    const done = await operation.go(() => act(() => hall.ask("hold_changes", { member, hold: wanted })));
    if (done) spoken.set(wanted ? `Changed tools of ${member} need your review` : `Agents get changed tools of ${member} without review`);
  };
  const acceptOne = ({ name }: ToolReview) => accept([name], `${name} is approved`);
  return (
    <section aria-labelledby={title} className="flex flex-col gap-2">
      <h2 id={title} className="font-semibold">Tools</h2>
      <label className="flex items-start gap-2">
        <input type="checkbox" className="mt-1" checked={trust.holds} aria-disabled={operation.busy} onChange={({ target }) => void hold(target.checked)} />
        <span>
          Review new and changed tools before agents can use them
          <span className="block text-sm text-dim">{trust.holds ? "You can still run them yourself." : `Switching this on approves the current ${counted(count, { one: "tool", other: "tools" })}.`}</span>
        </span>
      </label>
      {trust.holds && (
        <div className="flex flex-wrap items-center gap-2">
          <p data-testid="review-clean">
            {open.length === 0 ? (
              <><Sign of="dot" className="text-ok me-1" />{counted(count, { one: "tool", other: "tools" })} approved{reviewedAtMs !== null && ` on ${toTheMinute(reviewedAtMs)}`}</>
            ) : (
              <><Sign of="delta" className="text-warn me-1" />{counted(open.length + more, { one: "tool needs", other: "tools need" })} review.{trust.held > 0 && ` ${plural(trust.held, { one: "1 is", other: `${number(trust.held)} are` })} hidden from agents.`}</>
            )}
          </p>
          {open.length > 0 && (
            <Button look="accent" unavailable={busy} onClick={() => void accept(null, `All tools of ${member} are approved`)}>
              Approve all {number(open.length + more)}
            </Button>
          )}
        </div>
      )}
      {tools.length > 0 && (
        <ul aria-label="Tools to review" className="flex flex-col gap-1">
          {tools.slice(0, shown).map((tool) => (
            <ToolRow key={tool.name} tool={tool} accept={trust.holds && tool.difference !== "same" ? () => void acceptOne(tool) : null} unavailable={busy} />
          ))}
        </ul>
      )}
      {tools.length > shown && <Button onClick={() => setShown(tools.length)}>Show {counted(tools.length - shown, { one: "more tool", other: "more tools" })}</Button>}
      {more > 0 && <p className="text-dim">{counted(more, { one: "more tool", other: "more tools" })} {plural(more, { one: "is not shown. Approving all includes it.", other: "are not shown. Approving all includes them." })}</p>}
      {tools.length === 0 && !trust.holds && <p className="text-dim">No suspicious tools</p>}
    </section>
  );
}
