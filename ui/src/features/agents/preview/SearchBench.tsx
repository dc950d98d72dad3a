/** Runs the tool search of agents for a task that the user describes, and explains each match, best first. */
import { useId, useMemo, useState } from "react";

import type { AgentTool, Endpoint } from "../../../ipc/bindings";
import { HintMarks } from "../../../components/HintMarks";
import { Tooltip } from "../../../components/Tooltip";
import { ErrorReport } from "../../../components/ErrorReport";
import { counted, decimal } from "../../../lib/format";
import { useHall } from "../../../lib/hall/hall";
import { useNavigation } from "../../../lib/navigation/navigation";
import { pathOf } from "../faces";
import { useLive } from "../useLive";

const LIMIT = 20;

export function SearchBench({ endpoint, tools }: { endpoint: Endpoint; tools: readonly AgentTool[] }) {
  const hall = useHall();
  const navigation = useNavigation();
  const id = useId();
  const [typed, setTyped] = useState("");
  const task = typed.trim();
  const byName = useMemo(() => new Map(tools.map((tool) => [tool.name, tool])), [tools]);
  const { value, error } = useLive(task === "" ? null : "task", [pathOf(endpoint), task, byName], () => hall.ask("find_for_task", { endpoint, task, limit: LIMIT }));
  const found = error === null ? value?.found : undefined;
  const matches = found && counted(found.length, { one: "tool", other: "tools" });
  const says = found === undefined ? "" : found.length === 0 ? "No tools match this task." : `${matches} found${found.length === LIMIT ? ", best first" : ""}`;
  return (
    <div className="flex flex-col gap-2 p-4">
      <label htmlFor={id} className="text-dim">Describe a task</label>
      <input
        id={id}
        type="search"
        dir="auto"
        autoComplete="off"
        maxLength={1_000}
        placeholder="rename a file in my notes"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        className="h-8 rounded-sm border border-control bg-bg px-2 placeholder:text-faint"
      />
      <p role="status" className="min-h-5 text-sm text-dim">{says}</p>
      {error && <ErrorReport report={error} />}
      {found && found.length > 0 && (
        <ol aria-label="Matching tools" className="flex flex-col">
          {found.map(({ name, summary, score, why }, index) => {
            const tool = byName.get(name);
            return (
              <li key={name} className="flex gap-3 border-b border-line py-1">
                <span className="w-6 shrink-0 text-end text-dim tabular-nums">{index + 1}</span>
                <div className="min-w-0 flex-1">
                  <p className="flex flex-wrap items-center gap-x-2">
                    {tool ? (
                      <button type="button" className="max-w-full rounded-sm text-start font-mono break-all hover:underline" onClick={() => navigation.openTool(tool.member, tool.tool)}>
                        {name}
                      </button>
                    ) : (
                      <bdi className="font-mono break-all">{name}</bdi>
                    )}
                    {tool && <HintMarks hints={tool.hints} />}
                    <Tooltip text="Relevance"><span className="text-sm text-faint tabular-nums">{decimal(score, 1)}</span></Tooltip>
                  </p>
                  <p className="break-words text-dim">{summary}</p>
                  <p className="text-sm break-words text-faint">{why.join(" · ")}</p>
                </div>
              </li>
            );
          })}
        </ol>
      )}
    </div>
  );
}
