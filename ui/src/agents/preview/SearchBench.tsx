/** Runs an agent's tool search for a task and explains each match, best first. */
import { useEffect, useId, useMemo, useState } from "react";

import { useHouse } from "../../app/house";
import type { AgentTool, Endpoint, FoundAgentTool, Report } from "../../bridge/bindings";
import { asRefusal } from "../../bridge/bridge";
import { HintMarks } from "../../parts/HintMarks";
import { Tooltip } from "../../parts/Tooltip";
import { Trouble } from "../../parts/Trouble";
import { counted, decimal } from "../../words/format";

const REST_MS = 200;
const LIMIT = 20;

interface Answer {
  readonly task: string;
  readonly found: readonly FoundAgentTool[];
  readonly error: Report | null;
}

export function SearchBench({ endpoint, tools }: { endpoint: Endpoint; tools: readonly AgentTool[] }) {
  const house = useHouse();
  const id = useId();
  const [typed, setTyped] = useState("");
  const [answer, setAnswer] = useState<Answer | null>(null);
  const task = typed.trim();
  const byName = useMemo(() => new Map(tools.map((tool) => [tool.name, tool])), [tools]);
  // Another list of tools may give another answer.
  useEffect(() => {
    if (task === "") return undefined;
    let wanted = true;
    const timer = setTimeout(() => {
      house.hall.ask("find_for_task", { endpoint, task, limit: LIMIT }).then(
        ({ found }) => wanted && setAnswer({ task, found, error: null }),
        (reason: unknown) => wanted && setAnswer({ task, found: [], error: asRefusal(reason).report }),
      );
    }, REST_MS);
    return () => {
      wanted = false;
      clearTimeout(timer);
    };
  }, [house, endpoint, task, byName]);
  const shown = task === "" ? null : answer;
  const says =
    shown === null || shown.error !== null
      ? ""
      : shown.found.length === 0
        ? "No tools match this task."
        : shown.found.length === LIMIT
          ? `${counted(LIMIT, { one: "tool", other: "tools" })} found, best first`
          : `${counted(shown.found.length, { one: "tool", other: "tools" })} found`;
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
        className="h-8 rounded-sm border border-line-strong bg-bg px-2 placeholder:text-faint"
      />
      <p role="status" className="min-h-5 text-sm text-dim">{says}</p>
      {shown?.error && <Trouble report={shown.error} />}
      {shown && shown.found.length > 0 && (
        <ol aria-label="Matching tools" className="flex flex-col">
          {shown.found.map(({ name, summary, score, why }, index) => {
            const tool = byName.get(name);
            return (
              <li key={name} className="flex gap-3 border-b border-line py-1">
                <span className="w-6 shrink-0 text-end text-dim tabular-nums">{index + 1}</span>
                <div className="min-w-0 flex-1">
                  <p className="flex flex-wrap items-center gap-x-2">
                    {tool ? (
                      <button type="button" className="max-w-full rounded-sm text-start font-mono break-all hover:underline" onClick={() => house.openTool(tool.member, tool.tool)}>
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
