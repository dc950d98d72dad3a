/** The history of changes in a member's tool list. */
import { useEffect, useId, useState } from "react";

import type { MemberName, Report, Revision, Revisions as Page, RevisionView } from "../../ipc/bindings";
import { asRefusal } from "../../ipc/bridge";
import { Button } from "../../components/Button";
import { Sign } from "../../components/Icon";
import { Reading } from "../../components/Reading";
import { Tooltip } from "../../components/Tooltip";
import { ErrorReport } from "../../components/ErrorReport";
import { counted, number } from "../../lib/format";
import { useHall } from "../../lib/hall/hall";
import { moment, toTheMinute } from "../../lib/time";
import { ToolRow } from "./ToolRow";

const PAGE = 20;

interface Known {
  readonly revisions: readonly RevisionView[];
  readonly more: boolean;
  readonly trouble: Report | null;
}

const NOTHING: Known = { revisions: [], more: false, trouble: null };

export function Revisions({ member, listedAtMs }: { member: MemberName; listedAtMs: number | null }) {
  const hall = useHall();
  const title = useId();
  const [known, setKnown] = useState<Known | null>(null);
  const [reading, setReading] = useState(false);
  const add = (page: Page, before: Known) => ({ revisions: [...before.revisions, ...page.revisions], more: page.more, trouble: page.trouble });
  useEffect(() => {
    let wanted = true;
    const keep = (next: Known) => {
      if (wanted) setKnown(next);
    };
    hall.ask("revisions", { member, before: null, limit: PAGE }).then(
      (page) => keep(add(page, NOTHING)),
      (reason: unknown) => keep({ ...NOTHING, trouble: asRefusal(reason).report }),
    );
    return () => {
      wanted = false;
    };
  }, [hall, member, listedAtMs]);
  const older = async (from: Known) => {
    const last = from.revisions.at(-1);
    if (!last || reading) return;
    setReading(true);
    try {
      const page = await hall.ask("revisions", { member, before: last.id, limit: PAGE });
      // If a newer list arrived during the request, this page is discarded.
      setKnown((now) => (now === from ? add(page, from) : now));
    } catch (reason) {
      setKnown({ ...from, trouble: asRefusal(reason).report });
    }
    setReading(false);
  };
  return (
    <section aria-labelledby={title} className="flex flex-col gap-2">
      <h2 id={title} className="font-semibold">Tool changes</h2>
      {!known && <Reading what="the tool changes" className="" />}
      {known?.trouble && <ErrorReport report={known.trouble} />}
      {known && !known.trouble && known.revisions.length === 0 && (
        <p className="text-dim">No changes yet. Each change of its tool list appears here.</p>
      )}
      {known && known.revisions.length > 0 && (
        <ul aria-label="Tool changes" className="flex flex-col gap-1">
          {known.revisions.map((view) => <One key={view.id} member={member} view={view} />)}
        </ul>
      )}
      {known?.more && <Button unavailable={reading ? "Loading…" : undefined} onClick={() => void older(known)}>Earlier changes</Button>}
    </section>
  );
}

/** A summary of one change, such as `1 new tool, 2 changed`. */
function summary({ added, changed, removed, more }: RevisionView): string {
  const parts = [
    ...(added.length > 0 ? [counted(added.length, { one: "new tool", other: "new tools" })] : []),
    ...(changed.length > 0 ? [`${number(changed.length)} changed`] : []),
    ...(removed.length > 0 ? [`${number(removed.length)} removed`] : []),
    ...(more > 0 ? [`and ${number(more)} more`] : []),
  ];
  return parts.length === 0 ? "Another order" : parts.join(", ");
}

function One({ member, view }: { member: MemberName; view: RevisionView }) {
  const hall = useHall();
  const body = useId();
  const [open, setOpen] = useState(false);
  const [read, setRead] = useState<{ revision: Revision | null; trouble: Report | null } | null>(null);
  const toggle = async () => {
    setOpen(!open);
    if (open || read?.revision) return;
    try {
      setRead({ revision: await hall.ask("revision", { member, id: view.id }), trouble: null });
    } catch (reason) {
      setRead({ revision: null, trouble: asRefusal(reason).report });
    }
  };
  return (
    <li data-testid="revision" className="rounded-md border border-line bg-raised px-3 py-2">
      <button type="button" aria-expanded={open} aria-controls={body} className="w-full rounded-sm text-start hover:text-accent" onClick={() => void toggle()}>
        <Sign of={open ? "chevronDown" : "chevronRight"} className="me-1 text-faint" />
        <Tooltip text={moment(view.atMs)}><span className="font-mono text-sm">{toTheMinute(view.atMs)}</span></Tooltip> {summary(view)} <span className="text-dim">· {counted(view.count, { one: "tool", other: "tools" })} in total</span>
      </button>
      <div id={body} hidden={!open} className="mt-1 flex flex-col gap-1 ps-4">
        {open && !read && <Reading what="this change" className="" />}
        {read?.trouble && <ErrorReport report={read.trouble} />}
        {view.namesOnly && <p className="text-dim">Only the names of the tools were stored (the change was too large)</p>}
        {read?.revision && (
          <ul aria-label={`Tools of the change of ${moment(view.atMs)}`} className="flex flex-col gap-1">
            {read.revision.tools.map((tool) => <ToolRow key={tool.name} tool={tool} accept={null} unavailable={undefined} />)}
          </ul>
        )}
      </div>
    </li>
  );
}
