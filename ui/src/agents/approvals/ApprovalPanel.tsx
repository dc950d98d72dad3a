/** One waiting call: the caller, the tool, the editable arguments and the decision. */
import { type KeyboardEvent, type Ref, useCallback, useEffect, useId, useImperativeHandle, useLayoutEffect, useMemo, useRef, useState } from "react";
import { flushSync } from "react-dom";

import { useHouse } from "../../app/house";
import { useKeysOf, useSending } from "../../app/useKeysOf";
import type { Approval, ArgumentCheck, ArgumentError, CheckedArguments, Decision, ToolDetail } from "../../bridge/bindings";
import { asRefusal } from "../../bridge/bridge";
import { STACKED } from "../../elicitation/stacked";
import { TimeLeft } from "../../elicitation/TimeLeft";
import { idFrom } from "../../form/desk";
import { FormPanel } from "../../form/FormPanel";
import { formOf } from "../../form/ToolForm";
import { draftFromJson, toJsonText } from "../../form/model/json";
import { shownPlace } from "../../form/model/places";
import { keysOf } from "../../form/model/pointer";
import { useCheckFirst } from "../../form/useCheck";
import { JsonBox } from "../../form/view/JsonBox";
import { ProblemSummary } from "../../form/view/ProblemSummary";
import { useStore } from "../../hall/store";
import { Button } from "../../parts/Button";
import { Sign } from "../../parts/Icon";
import { drawNow } from "../../parts/drawNow";
import { HintMarks } from "../../parts/HintMarks";
import { Reading } from "../../parts/Reading";
import { Trouble } from "../../parts/Trouble";
import { useDeed } from "../../parts/useDeed";
import { hintWords } from "../../words/hints";
import { isOfferName } from "../offerNames";
import { useToolDetail } from "../../tool/useToolDetail";
import { keyed } from "../../words/format";

/** What has just come up under the pointer can't be meant by a click yet. */
const SETTLE_MS = 400;

interface Props {
  readonly approval: Approval;
  /** Called when the panel goes while the focus is inside. */
  readonly onLeft: () => void;
}

export function ApprovalPanel({ approval, onLeft }: Props) {
  const { hall, agents } = useHouse();
  const { id, client, member, tool } = approval;
  // A prompt or a resource has no schema: its arguments are shown as JSON.
  const isOffer = isOfferName(tool);
  const { detail, error } = useToolDetail(hall, member, isOffer ? null : tool);
  const titleId = useId();
  const panel = useRef<HTMLDivElement>(null);
  const led = useStore(agents.approvals.wanted, (wanted) => wanted === id);

  useEffect(() => {
    if (!led) return;
    agents.approvals.wanted.set(null);
    panel.current?.focus();
  }, [led, agents]);

  const left = useRef(onLeft);
  useLayoutEffect(() => {
    left.current = onLeft;
  });
  useLayoutEffect(() => {
    const node = panel.current;
    return () => {
      if (node?.contains(document.activeElement)) left.current();
    };
  }, []);

  const form = useRef<Lent>(null);
  const sending = useSending();
  const onKeyDownCapture = (event: KeyboardEvent) => {
    const way = sending(event);
    if (way === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.repeat) return;
    if (way === "run") form.current?.allow();
    else form.current?.allowAnyway();
  };

  return (
    // The keys work from every control inside; the controls themselves are the interactive parts.
     
    <div
      ref={panel}
      role="group"
      tabIndex={-1}
      onKeyDownCapture={onKeyDownCapture}
      aria-labelledby={titleId}
      data-testid="approval"
      className="flex min-w-0 flex-1 flex-col gap-1 accent-accent-fill"
    >
      <header className="flex flex-wrap items-baseline gap-x-2 px-3 pt-2">
        <h2 id={titleId} className="min-w-0 flex-1 basis-60 text-lg break-words text-dim">
          <Sign of="warning" className="text-warn me-1" />
          <bdi className="font-semibold text-text">{client}</bdi> wants to run <bdi className="font-semibold text-text">{tool}</bdi> on <bdi>{member}</bdi>
        </h2>
        <TimeLeft untilMs={approval.expiresAtMs} />
      </header>
      {detail && <ToolSays detail={detail} />}
      {error && <Trouble report={error} className="mx-3" />}
      {!isOffer && !detail && !error && <Reading what="the tool" className="px-3" />}
      {(isOffer || (detail ?? error)) && <Arguments key={detail?.inputSchema} approval={approval} detail={detail} lent={form} />}
    </div>
  );
}

/** What the tool is, in its server's words. */
function ToolSays({ detail }: { detail: ToolDetail }) {
  const hints = hintWords(detail.summary.hints);
  return (
    <div className="px-3">
      {detail.description !== "" && <p className="line-clamp-3 break-words whitespace-pre-wrap text-dim">{detail.description}</p>}
      <p className="flex flex-wrap items-center gap-x-1 text-sm text-faint">
        <HintMarks hints={detail.summary.hints} />
        {hints.length === 0 ? (
          "The server doesn't say whether this tool changes data."
        ) : (
          <span>
            The server says:{" "}
            {hints.map(({ word, says, colour }, index) => (
              <span key={word}>
                {index > 0 && " · "}
                <span className={colour} title={says}>{word}</span>
              </span>
            ))}
          </span>
        )}
      </p>
    </div>
  );
}

/** A tool whose schema could not be read takes anything. */
const ANYTHING = { inputSchema: "{}" };

interface Lent {
  readonly allow: () => void;
  readonly allowAnyway: () => void;
}

function Arguments({ approval, detail, lent }: { approval: Approval; detail: ToolDetail | null; lent: Ref<Lent> }) {
  const { hall, agents, pickPath } = useHouse();
  const { approvals } = agents;
  const { id, member, tool } = approval;
  const node = useMemo(() => formOf(detail ?? ANYTHING), [detail]);
  const first = useMemo(() => draftFromJson(approval.arguments), [approval.arguments]);
  const draft = useStore(approvals.drafts, (drafts) => drafts.get(id)) ?? first;
  const onDraft = useCallback((next: typeof draft) => approvals.keepDraft(id, next), [approvals, id]);
  const prefix = useId().replace(/[^A-Za-z0-9]/g, "");
  const body = useRef<HTMLDivElement>(null);
  const [whole, setWhole] = useState(false);
  const [chosen, setChosen] = useState<ReadonlyMap<string, boolean>>(new Map());
  const [asJson, setAsJson] = useState<ReadonlySet<string>>(new Set());
  const [revealed, setRevealed] = useState<string | null>(null);
  const settled = useSettled(id);
  const deed = useDeed();
  const wanted = useRef<Exclude<Decision, "deny">>("once");
  const changed = useMemo(() => !sameText(draft, first), [draft, first]);

  const check = useCallback(
    (args: string): Promise<CheckedArguments> =>
      isOfferName(tool) ? Promise.resolve({ errors: [], notes: [] }) : hall.ask("check_arguments", { member, tool, arguments: args }).catch((reason: unknown): CheckedArguments => {
        const unchecked: ArgumentError = { pointer: "", message: asRefusal(reason).report.message, keyword: "" };
        return { errors: [unchecked], notes: [] };
      }),
    [hall, member, tool],
  );
  const decide = (decision: Decision, args: string | null, how: ArgumentCheck = "refuse") =>
    void deed.go(() => approvals.decide(id, decision, args, how));
  // Unchanged arguments are forwarded byte for byte, as the agent wrote them.
  const asChanged = (args: string) => (changed ? args : null);
  const keys = useKeysOf("run");
  const anywayKeys = useKeysOf("send-anyway");
  const checking = useCheckFirst({
    draft,
    check,
    onRun: (args) => decide(wanted.current, asChanged(args)),
    onSendAnyway: (args) => decide("once", asChanged(args), "send-anyway"),
  });
  const unavailable = deed.busy ? "Sending…" : !settled ? "One moment…" : undefined;
  const cannotAllow = unavailable ?? (checking.checking ? "Checking…" : undefined);

  /** Only what was checked and does not fit can be allowed all the same. */
  const misfits = checking.problems.length > 0;
  /** Takes in what a control keeps until it is left. */
  const commit = () => {
    const focused = document.activeElement;
    if (focused instanceof HTMLElement && body.current?.contains(focused)) {
      flushSync(() => focused.blur());
      (focused.isConnected ? focused : body.current).focus({ preventScroll: true });
    }
  };
  const allow = (decision: Exclude<Decision, "deny">) => {
    commit();
    wanted.current = decision;
    checking.run();
  };
  const allowAnyway = () => {
    commit();
    checking.sendAnyway();
  };
  useImperativeHandle(lent, () => ({
    allow: () => cannotAllow === undefined && allow("once"),
    allowAnyway: () => cannotAllow === undefined && misfits && allowAnyway(),
  }));
  const jump = (place: string) => {
    const pointer = shownPlace(node, draft, place, asJson);
    setWhole(false);
    setRevealed(pointer);
    const ways = keysOf(pointer).map((_, index) => pointer.split("/").slice(0, index + 1).join("/"));
    setChosen((held) => new Map([...held, ...ways.map((one) => [one, true] as const)]));
    drawNow();
    const target = document.getElementById(idFrom(prefix, pointer)) ?? body.current;
    target?.scrollIntoView({ block: "center" });
    target?.focus();
  };
  const json = <JsonBox id={`${prefix}-json`} label="Arguments as JSON" draft={draft} onDraft={onDraft} />;
  const asText = whole || detail === null;
  return (
    <div className="flex flex-col">
      <div ref={body} tabIndex={-1} className="@container mx-3 max-h-[55vh] overflow-y-auto outline-none">
        <div className={STACKED}>
          <h3 className="sr-only">Arguments</h3>
          <ProblemSummary problems={checking.problems} notes={[...(detail?.schemaNotes ?? []), ...checking.notes]} onJump={jump} />
          {asText ? (
            <div className="py-1">{json}</div>
          ) : (
            <FormPanel {...{ node, draft, onDraft, prefix, chosen, setChosen, asJson, setAsJson, revealed, pickPath }} problems={checking.problems} whole={json} />
          )}
        </div>
      </div>
      <div className="flex flex-wrap items-center gap-2 px-3">
        {detail && (
          <Button look="quiet" aria-pressed={whole} onClick={() => setWhole(!whole)}>
            {whole ? "Back to the fields" : "Edit as JSON"}
          </Button>
        )}
        {changed && (
          <>
            <span className="text-sm text-warn"><Sign of="delta" className="me-1" />changed by you</span>
            <Button
              look="quiet"
              onClick={() => {
                checking.forget();
                onDraft(first);
              }}
            >
              Reset to the agent's arguments
            </Button>
          </>
        )}
      </div>
      {deed.problem && <Trouble report={deed.problem} className="mx-3 mt-1" />}
      <div className="flex flex-wrap items-center gap-2 px-3 pt-2">
        <Button look="accent" title={keys} unavailable={cannotAllow} onClick={() => allow("once")}>
          Approve once
        </Button>
        <Button unavailable={cannotAllow} aria-describedby={`${prefix}-always`} onClick={() => allow("always")}>
          Always allow
        </Button>
        <Button look="danger" unavailable={unavailable} onClick={() => decide("deny", null)}>
          Deny
        </Button>
        {misfits && (
          <Button look="quiet" title={keyed("Approve once without validation", anywayKeys)} unavailable={cannotAllow} onClick={allowAnyway}>
            Approve anyway
          </Button>
        )}
        {keys !== undefined && (
          <span className="text-sm text-faint">
            <kbd className="font-sans">{keys}</kbd> approves once
          </span>
        )}
      </div>
      <p id={`${prefix}-always`} className="px-3 pb-2 text-sm text-dim">
        <em>Always allow</em>: {tool} will run without asking, for every client and any arguments. You can change this in Permissions.
      </p>
    </div>
  );
}

/** Whether the same would be sent. */
function sameText(a: Parameters<typeof toJsonText>[0], b: Parameters<typeof toJsonText>[0]): boolean {
  if (a === b) return true;
  const [one, other] = [toJsonText(a), toJsonText(b)];
  return "ok" in one && "ok" in other && one.ok === other.ok;
}

/** Whether what is shown has been there for a moment. */
function useSettled(what: string): boolean {
  const [settled, setSettled] = useState<string | null>(null);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(what), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [what]);
  return settled === what;
}
