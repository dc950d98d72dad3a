/** The tools hidden from agents, grouped by reason, with the fix for each. */
import { useMemo, useState } from "react";

import type { Report, WithheldTool } from "../../../ipc/bindings";
import { Button } from "../../../components/Button";
import { ErrorCode } from "../../../components/ErrorCode";
import { Sign } from "../../../components/Icon";
import { counted, number } from "../../../lib/format";
import { useNavigation } from "../../../lib/navigation/navigation";

const toolCount = (count: number) => counted(count, { one: "tool", other: "tools" });

/** The number of tools per reason that are shown before the user expands the list. */
const NAMED = 12;

interface Reason {
  readonly key: string;
  readonly member: string;
  readonly report: Report;
  readonly tools: readonly string[];
}

function reasonsOf(withheld: readonly WithheldTool[]): readonly Reason[] {
  const reasons = new Map<string, Reason & { tools: string[] }>();
  for (const { member, tool, report } of withheld) {
    const key = `${member}\n${report.message}`;
    const known = reasons.get(key);
    if (known) known.tools.push(tool);
    else reasons.set(key, { key, member, report, tools: [tool] });
  }
  return [...reasons.values()];
}

export function HiddenList({ withheld }: { withheld: readonly WithheldTool[] }) {
  const reasons = useMemo(() => reasonsOf(withheld), [withheld]);
  if (reasons.length === 0) return <p className="p-4 text-dim">Nothing hidden. Agents see every tool.</p>;
  return (
    <ul aria-label="Hidden tools" className="flex flex-col gap-2 p-4">
      {reasons.map((reason) => (
        <HiddenTools key={reason.key} reason={reason} />
      ))}
    </ul>
  );
}

function HiddenTools({ reason: { member, report, tools } }: { reason: Reason }) {
  const navigation = useNavigation();
  const [all, setAll] = useState(false);
  return (
    <li data-code={report.code} className="rounded-md border border-line px-3 py-2">
      <p className="break-words">
        <Sign of="pause" className="text-warn me-1" />
        <button type="button" className="rounded-sm font-medium hover:underline" onClick={() => navigation.openMember(member)}>{member}</button>{" "}
        <span className="text-dim">{toolCount(tools.length)}</span> · {report.message} <ErrorCode code={report.code} />
      </p>
      {report.hint !== "" && <p className="break-words text-dim">{report.hint}</p>}
      <ul className="mt-1 flex flex-wrap gap-x-3 font-mono text-sm">
        {(all ? tools : tools.slice(0, NAMED)).map((tool) => (
          <li key={tool} className="max-w-full break-words">{tool}</li>
        ))}
      </ul>
      {tools.length > NAMED && (
        <Button look="quiet" aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? "Fewer" : `and ${number(tools.length - NAMED)} more`}
        </Button>
      )}
    </li>
  );
}
