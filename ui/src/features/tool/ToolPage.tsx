/** The page of a tool: its form beside the results of its calls. Both are visible at the same time. */
import { useCallback, useEffect, useMemo, useRef } from "react";

import type { ArgumentError, MemberName, MemberView, ToolDetail, ToolName } from "../../ipc/bindings";
import { useDesktop } from "../../lib/desktop";
import { useHall } from "../../lib/hall/hall";
import { useNavigation } from "../../lib/navigation/navigation";
import { type ToolFormHandle, usePageForm } from "../../lib/pageForm";
import { firstDraft, ToolForm } from "../form/ToolForm";
import type { Draft } from "../form/model/draft";
import { useToolPageState } from "./pageState";
import { sheetKey, shownRun, type Run, useWorkbench } from "./workbench";
import { useStore } from "../../lib/store";
import { HandedNotes } from "../history/HandedNotes";
import { SavedMenu } from "../history/SavedMenu";
import { Sign } from "../../components/Icon";
import { Reading } from "../../components/Reading";
import { SplitPane } from "../../components/SplitPane";
import { draftFromJson, toJsonText } from "../form/model/json";
import type { Asked } from "./ConfirmSend";
import { Reported } from "../../components/Reported";
import { beforeAsking } from "../../lib/words/doing";
import { isConfirmed } from "../../lib/words/found";
import { ResultSide } from "./ResultSide";
import { ToolHead } from "./ToolHead";
import { ToolMenu } from "./ToolMenu";
import { useKeptDraft } from "./useKeptDraft";
import { useToolDetail } from "./useToolDetail";

/** The notice above the form of a member that isn't ready. It describes what a call would do. */
const BEFORE = {
  waits: (member: string) => `${member} is starting. A call waits until it is ready.`,
  isDisabled: (member: string) => `${member} is disabled in plugin.json, so its tools can't be called.`,
  isUnreviewed: (member: string) => `${member} needs your review first. Its tools can't be called until then.`,
  startsFirst: (state: string) => `${state}. Running the tool starts it.`,
};

interface Props {
  member: MemberName;
  tool: ToolName;
}

export default function ToolPage({ member, tool }: Props) {
  const hall = useHall();
  const view = useStore(hall.state, (state) => state.byName.get(member));
  const { detail, error } = useToolDetail(hall, member, tool);
  // Subscribes to the member's tool list, so that the page follows changes of this tool.
  useEffect(() => hall.watch(member), [hall, member]);
  if (!view) return <div aria-busy className="flex-1" />;
  return (
    <article className="flex min-h-0 flex-1 flex-col short:overflow-y-auto" aria-label={`${member} ${tool}`}>
      <ToolHead view={view} tool={tool} detail={detail}>
        {detail && <SavedMenu detail={detail} />}
        {detail && <ToolMenu view={view} detail={detail} />}
      </ToolHead>
      {error && (
        <p role="alert" className="shrink-0 border-b border-line bg-bad-fill px-4 py-2 break-words">
          <Sign of="cross" className="text-bad me-1" />
          <Reported report={error} />
        </p>
      )}
      {!detail && !error && <Reading what="the tool" />}
      {detail && <Bench view={view} detail={detail} />}
    </article>
  );
}

const NOTHING: readonly ArgumentError[] = [];

/** The validation errors with which Rust rejected a call, if the form still has the call's arguments. */
function refusedBy(run: Run | null, draft: Draft): readonly ArgumentError[] {
  const end = run?.outcome?.end;
  if (!run || end?.kind !== "failed" || end.arguments.length === 0) return NOTHING;
  return holds(draft, run.arguments) ? end.arguments : NOTHING;
}

/** Whether the form would send these arguments. */
function holds(draft: Draft, text: string): boolean {
  const now = toJsonText(draft);
  const sent = toJsonText(draftFromJson(text));
  return "ok" in now && "ok" in sent && now.ok === sent.ok;
}

/** The form beside the results. Typing rerenders only the form. */
function Bench({ view, detail }: { view: MemberView; detail: ToolDetail }) {
  const bench = useWorkbench();
  const pageState = useToolPageState();
  const navigation = useNavigation();
  const hall = useHall();
  const { member, name: tool } = detail.summary;
  const key = sheetKey(member, tool);
  const handed = useStore(bench.sheets, () => bench.sheet(key).handed);
  const runs = useStore(bench.sheets, () => bench.sheet(key).runs);
  const shown = useStore(bench.sheets, () => shownRun(bench.sheet(key)));
  const running = shown !== null && shown.outcome === null;
  const note = running ? null : !isConfirmed(detail.found) ? `The server of ${member} hasn't confirmed this tool, so it can't be called.` : beforeAsking(view, BEFORE);

  const asked = useStore(pageState.asked, (call) => (call?.key === key ? call.asked : null));
  // Closes the confirmation when the page is left or another draft is loaded, because the confirmation shows the old
  // arguments.
  useEffect(() => pageState.asked.set(null), [pageState, handed]);
  const destructive = detail.summary.hints.destructive === true;
  const run = useCallback(
    async ({ text, check, timeoutMs }: Asked) => {
      if (navigation.leaving.size > 0) await navigation.leaveApps();
      const outcome = await bench.run(member, tool, text, check, timeoutMs);
      if (outcome?.end.kind !== "failed" || outcome.end.arguments.length === 0) return;
      // If the form still has these arguments, its fields show the errors and the call is removed. Otherwise the
      // call stays, and its result shows the errors.
      if (holds(bench.sheet(key).draft ?? firstDraft(detail), text)) bench.refuse(key, outcome.end.arguments, outcome.call);
    },
    [bench, detail, key, member, navigation, tool],
  );
  /** Counts presses of Run. A validation result for an earlier press is ignored. */
  const presses = useRef(0);
  useEffect(() => () => void (presses.current += 1), [handed]);
  const send = useCallback(
    async (wanted: Asked) => {
      presses.current += 1;
      const press = presses.current;
      if (!destructive || pageState.trusted.get().has(key)) return run(wanted);
      if (wanted.check === "refuse") {
        // Validates first, so that the user is not asked to confirm a call that Rust would reject.
        const { draft } = bench.sheet(key);
        const checking = hall.ask("check_arguments", { member, tool, arguments: wanted.text });
        const errors = await checking.then((checked) => checked.errors, () => NOTHING);
        if (press !== presses.current || bench.sheet(key).draft !== draft) return;
        if (errors.length > 0) {
          bench.refuse(key, errors, null);
          return;
        }
      }
      pageState.asked.set({ key, asked: wanted });
    },
    [bench, pageState, destructive, hall, key, member, run, tool],
  );
  const sendAsked = (always: boolean) => {
    if (asked === null) return;
    if (always) pageState.trust(key);
    pageState.asked.set(null);
    void run(asked);
  };
  const leave = useCallback(() => pageState.asked.set(null), [pageState]);
  const retry = (timeoutMs: number) => shown && void send({ text: shown.arguments, check: shown.check, timeoutMs });

  return (
    <SplitPane name="form-share" label="Width of the form" share={50} isPart>
      <div data-tour="form" className="flex min-h-0 min-w-0 flex-col border-line wide:w-(--share) wide:shrink-0 max-wide:shrink-0 max-wide:border-b">
        {note !== null && (
          <p data-testid="tool-note" className="shrink-0 border-b border-line px-5 py-1.5 text-sm break-words text-dim">{note}</p>
        )}
        <HandedNotes sheet={key} />
        <h2 className="sr-only">Arguments</h2>
        <Arguments detail={detail} handed={handed} run={shown} onSend={(wanted) => void send(wanted)} />
      </div>
      <ResultSide {...{ view, tool, runs, asked }} hasApp={detail.app !== undefined && detail.app !== null} title={detail.summary.title ?? tool} run={shown} onSend={sendAsked} onLeave={leave} onRetry={retry} />
    </SplitPane>
  );
}

interface ArgumentsProps {
  readonly detail: ToolDetail;
  /** Counts the drafts loaded from outside the form. Each one resets the form. */
  readonly handed: number;
  /** The call whose result is shown beside the form. */
  readonly run: Run | null;
  readonly onSend: (wanted: Asked) => void;
}

/** The tool's form, which edits the draft on the workbench. */
function Arguments({ detail, handed, run, onSend }: ArgumentsProps) {
  const hall = useHall();
  const bench = useWorkbench();
  const pageState = useToolPageState();
  const pageForm = usePageForm();
  const desktop = useDesktop();
  const { member, name: tool } = detail.summary;
  const key = sheetKey(member, tool);
  const typed = useStore(bench.sheets, () => bench.sheet(key).draft);
  useKeptDraft(bench, detail, typed);
  const first = useMemo(() => firstDraft(detail), [detail]);
  const draft = typed ?? first;
  const kept = useStore(bench.sheets, () => bench.sheet(key).refused);
  const refused = useMemo(() => (kept.length > 0 ? kept : refusedBy(run, draft)), [kept, run, draft]);
  const form = useRef<ToolFormHandle>(null);

  // Registers the form, so that shortcuts such as Run work from everywhere in the window.
  useEffect(() => pageForm.register(form), [pageForm]);

  const check = useCallback(
    (text: string) => hall.ask("check_arguments", { member, tool, arguments: text }),
    [hall, member, tool],
  );
  return (
    <ToolForm
      key={handed}
      tool={detail}
      ref={form}
      draft={draft}
      onDraft={(next: Draft) => {
        // Closes the confirmation, because it shows the old values.
        pageState.asked.set(null);
        bench.keepDraft(key, next);
      }}
      onRun={(text: string) => onSend({ text, check: "refuse", timeoutMs: null })}
      onSendAnyway={(text: string) => onSend({ text, check: "send-anyway", timeoutMs: null })}
      check={check}
      refused={refused}
      pickPath={desktop.pickPath}
    />
  );
}
