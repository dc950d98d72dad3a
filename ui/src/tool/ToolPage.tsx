/** One tool: its form beside the results of its calls. The result never takes the form's place. */
import { useCallback, useEffect, useMemo, useRef } from "react";

import { useHouse } from "../app/house";
import type { ArgumentCheck, ArgumentError, MemberName, MemberView, ToolDetail, ToolName } from "../bridge/bindings";
import { firstDraft, ToolForm, type ToolFormHandle } from "../form/ToolForm";
import type { Draft } from "../form/model/draft";
import { sheetKey, shownRun, type Run } from "../hall/workbench";
import { useStore } from "../hall/store";
import { SplitPane } from "../parts/SplitPane";
import { ResultPane } from "../results/ResultPane";
import { Runs } from "./Runs";
import { ToolHead } from "./ToolHead";
import { useToolDetail } from "./useToolDetail";

interface Props {
  member: MemberName;
  tool: ToolName;
}

export default function ToolPage({ member, tool }: Props) {
  const { hall } = useHouse();
  const view = useStore(hall.state, (state) => state.byName.get(member));
  const { detail, error } = useToolDetail(hall, member, tool);
  // The roster shows the list too; here it is watched for a change of this tool.
  useEffect(() => hall.watch(member), [hall, member]);
  if (!view) return <div aria-busy className="flex-1" />;
  return (
    <article className="flex min-h-0 flex-1 flex-col" aria-label={`${member} ${tool}`}>
      <ToolHead view={view} tool={tool} detail={detail} />
      {error && (
        <p role="alert" className="shrink-0 border-b border-line bg-bad-fill px-4 py-2 break-words">
          <span aria-hidden className="text-bad">✕ </span>
          {error.message} <span className="text-dim">{error.hint}</span>
        </p>
      )}
      {detail && <Bench view={view} detail={detail} />}
    </article>
  );
}

/** What a call will do before it reaches the member; empty when the member is up. */
function beforeCall(view: MemberView): string | null {
  switch (view.status) {
    case "ready":
      return null;
    case "starting":
      return `${view.name} is starting; a call waits until it is ready.`;
    case "disabled":
      return `${view.name} is disabled in its manifest, so its tools can't be called.`;
    default:
      return `${view.name} does not run; a call starts it first.`;
  }
}

const NOTHING: readonly ArgumentError[] = [];

/** The errors at their fields, where a call was refused for its arguments. */
function refusedBy(run: Run | null): readonly ArgumentError[] {
  const end = run?.outcome?.end;
  return end?.kind === "failed" ? end.arguments : NOTHING;
}

function Bench({ view, detail }: { view: MemberView; detail: ToolDetail }) {
  const house = useHouse();
  const { hall, bench } = house;
  const { member, name: tool } = detail.summary;
  const key = sheetKey(member, tool);
  const sheet = useStore(bench.sheets, () => bench.sheet(key));
  const run = shownRun(sheet);
  const call = run?.call;
  const running = run !== null && run.outcome === null;
  const progress = useStore(hall.state, (state) => (call === undefined ? null : (state.running.get(call)?.progress ?? null)));
  const waiting = running && view.status === "starting" ? (view.lastStderr ?? "") : null;
  const first = useMemo(() => firstDraft(detail), [detail]);
  const form = useRef<ToolFormHandle>(null);
  const note = running ? null : beforeCall(view);

  // Run, send anyway and form-or-JSON work from the whole window, not only inside the form.
  useEffect(() => house.lendForm(form), [house]);

  const send = useCallback(
    (text: string, check: ArgumentCheck) => void bench.run(member, tool, text, check),
    [bench, member, tool],
  );
  const check = useCallback(
    (text: string) => hall.ask("check_arguments", { member, tool, arguments: text }),
    [hall, member, tool],
  );

  return (
    <SplitPane name="form-share" label="Width of the form" share={57}>
      <div className="flex min-h-0 min-w-0 flex-col border-line wide:w-(--share) wide:shrink-0 max-wide:shrink-0 max-wide:border-b">
        {note !== null && (
          <p className="shrink-0 border-b border-line px-4 py-1 text-sm break-words text-dim">{note}</p>
        )}
        <h2 className="sr-only">Arguments</h2>
        <ToolForm
          tool={detail}
          ref={form}
          draft={sheet.draft ?? first}
          onDraft={(draft: Draft) => bench.keepDraft(key, draft)}
          onRun={(text: string) => send(text, "refuse")}
          onSendAnyway={(text: string) => send(text, "send-anyway")}
          check={check}
          running={running}
          refused={refusedBy(run)}
        />
      </div>
      <div data-testid="result" className="flex min-h-0 min-w-0 flex-col wide:flex-1 max-wide:min-h-72 max-wide:shrink-0">
        <h2 className="sr-only">Results</h2>
        <Runs sheet={sheet} shown={run} />
        {waiting !== null && (
          <p className="shrink-0 border-b border-line px-4 py-1 text-sm text-dim">
            <span aria-hidden className="text-warn">◐ </span>
            {member} is being started{waiting === "" ? "…" : ": "}
            <span className="font-mono break-all">{waiting}</span>
          </p>
        )}
        <ResultPane
          outcome={run?.outcome ?? null}
          running={running ? { startedAtMs: run.startedAtMs, progress } : null}
          onCancel={() => run && void hall.cancel(run.call)}
          onRestart={() => void hall.tend("restart_member", member)}
          onRetry={(timeoutMs) => run && void bench.run(member, tool, run.arguments, run.check, timeoutMs)}
        />
      </div>
    </SplitPane>
  );
}
