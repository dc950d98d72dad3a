/** The panel beside the form: a call's result, questions from its server, and a menu of the tool's calls. */
import { lazy, Suspense, useEffect, useState } from "react";

import type { CallId, MemberView, ToolName } from "../../ipc/bindings";
import { useHall } from "../../lib/hall/hall";
import { useNavigation } from "../../lib/navigation/navigation";
import { CallQuestions } from "../elicitation/CallQuestions";
import { useStore } from "../../lib/store";
import { useOfferStore } from "../member/offers/offerStore";
import { readResource } from "../member/offers/readResource";
import { useToolPageState } from "./pageState";
import { sheetKey, type Run } from "./workbench";
import { Sign } from "../../components/Icon";
import { Reading } from "../../components/Reading";
import { useDesktop } from "../../lib/desktop";
import { EditorBoundary } from "../form/view/EditorBoundary";
import { ResultPane } from "../results/ResultPane";
import { SaveContext } from "../results/SaveButton";
import { CompareRuns } from "./CompareRuns";
import { type Asked, ConfirmSend } from "./ConfirmSend";
import { Runs } from "./Runs";

const AppView = lazy(() => import("../apps/AppView"));

interface Props {
  readonly view: MemberView;
  readonly tool: ToolName;
  /** Whether the tool has an app. */
  readonly hasApp: boolean;
  /** The tool's display name. */
  readonly title: string;
  /** The tool's calls, oldest first. */
  readonly runs: readonly Run[];
  /** The call whose result is shown. */
  readonly run: Run | null;
  /** The call that waits for confirmation, if any. */
  readonly asked: Asked | null;
  readonly onSend: (always: boolean) => void;
  readonly onLeave: () => void;
  readonly onRetry: (timeoutMs: number) => void;
}

export function ResultSide({ view, tool, hasApp, title, runs, run, asked, onSend, onLeave, onRetry }: Props) {
  const hall = useHall();
  const pageState = useToolPageState();
  const navigation = useNavigation();
  const offers = useOfferStore();
  const call = run?.call;
  const running = run !== null && run.outcome === null;
  const progress = useStore(hall.state, (state) => (call === undefined ? null : (state.running.get(call)?.progress ?? null)));
  // The comparison is shown until another call is shown.
  const [compared, setCompared] = useState<{ left: CallId; right: CallId } | null>(null);
  const [isChoosing, setIsChoosing] = useState(false);
  // The menu is hidden if the tool has fewer than two calls. If it stayed open, it would reappear at the next call.
  if (isChoosing && (runs.length < 2 || run === null)) setIsChoosing(false);
  const desktop = useDesktop();
  const key = sheetKey(view.name, tool);
  const app = hasApp && desktop.openApp && run?.outcome
    ? {
        view: <EditorBoundary fallback={<p role="alert">The view of apps couldn&apos;t be loaded.</p>}><Suspense fallback={<Reading what="the app" />}><AppView outcome={run.outcome} args={run.arguments} /></Suspense></EditorBoundary>,
        isFirst: pageState.app.get() === key,
        onSelect: (isSelected: boolean) => pageState.app.set(isSelected ? key : null),
      }
    : undefined;
  const comparing = compared !== null && compared.right === call;
  const ended = call !== undefined && !running ? call : null;
  useEffect(() => {
    if (ended !== null) pageState.see(ended);
  }, [pageState, ended]);
  const waiting = running && view.status === "starting" ? (view.lastStderr ?? "") : null;
  return (
    <SaveContext value={hall.saveFile ?? null}>
      <div data-testid="result" className="flex min-h-0 min-w-0 flex-col wide:flex-1 max-wide:min-h-72 max-wide:shrink-0">
        <h2 className="sr-only">Results</h2>
        {asked !== null && <ConfirmSend key={asked.text} member={view.name} {...{ tool, title, asked, onSend, onLeave }} />}
        {waiting !== null && (
          <p className="shrink-0 border-b border-line px-4 py-1 text-sm text-dim">
            <Sign of="dashes" className="text-warn me-1" />
            {waiting === "" ? `Starting ${view.name}…` : `Starting ${view.name}: `}
            <span className="font-mono break-all">{waiting}</span>
          </p>
        )}
        {run && <CallQuestions asker={run} />}
        {comparing ? (
          <CompareRuns key={compared.left} runs={runs} first={compared} onClose={() => setCompared(null)} />
        ) : (
          <ResultPane
            outcome={run?.outcome ?? null}
            running={running ? { startedAtMs: run.startedAtMs, progress } : null}
            onCancel={() => run && void hall.cancel(run.call)}
            onRestart={() => void hall.tend("restart_member", view.name)}
            onRetry={onRetry}
            onReadResource={(uri) => readResource({ navigation, offers }, view.name, uri)}
            app={app}
            picker={
              <Runs
                runs={runs}
                shown={run}
                open={isChoosing}
                onOpenChange={setIsChoosing}
                onCompare={(other) => call !== undefined && setCompared({ left: other.call, right: call })}
              />
            }
          />
        )}
      </div>
    </SaveContext>
  );
}
