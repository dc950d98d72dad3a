/** One pending approval: the client, the tool, the editable arguments, and buttons for the decision. */
import { type KeyboardEvent, type Ref, useCallback, useEffect, useId, useImperativeHandle, useMemo, useRef, useState } from "react";

import { useDesktop } from "../../../lib/desktop";
import { useHall } from "../../../lib/hall/hall";
import { useKeysOf, useSending } from "../../../lib/keys/useKeysOf";
import type { Approval, ArgumentCheck, CheckedArguments, Decision, ToolDetail } from "../../../ipc/bindings";
import { TimeLeft } from "../../elicitation/TimeLeft";
import { useLeaving } from "../../elicitation/useFocusLeft";
import { unchecked, useFormState } from "../../form/useFormState";
import { FormPanel } from "../../form/FormPanel";
import { formOf } from "../../form/ToolForm";
import { draftFromJson, toJsonText } from "../../form/model/json";
import { useCheckFirst } from "../../form/useCheck";
import { JsonBox } from "../../form/view/JsonBox";
import { ProblemSummary } from "../../form/view/ProblemSummary";
import { useStore } from "../../../lib/store";
import { Badge } from "../../../components/Badge";
import { Button } from "../../../components/Button";
import { Sign } from "../../../components/Icon";
import { Menu } from "../../../components/Menu";
import { Reading } from "../../../components/Reading";
import { Tooltip } from "../../../components/Tooltip";
import { ErrorReport } from "../../../components/ErrorReport";
import { useOperation } from "../../../lib/useOperation";
import { hintWords } from "../../../components/hints";
import { useAgents } from "../agents";
import { isOfferName } from "../offerNames";
import { useToolDetail } from "../../tool/useToolDetail";
import { keyed } from "../../../lib/format";
import { useSettled } from "./useSettled";

interface Props {
  readonly approval: Approval;
  /** Called when the panel is removed while the focus is inside it. */
  readonly onLeft: () => void;
}

export function ApprovalPanel({ approval, onLeft }: Props) {
  const hall = useHall();
  const agents = useAgents();
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

  useLeaving(panel, onLeft);

  const form = useRef<Lent>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== panel.current || event.key.toLowerCase() !== "d" || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    event.preventDefault();
    form.current?.deny();
  };
  const onKeyDownCapture = useSending((action) => (action === "run" ? form.current?.allow() : form.current?.allowAnyway()));

  return (
    // The shortcuts for approval work in every control of the panel. D works only while the panel itself has the focus.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <div
      ref={panel}
      role="group"
      tabIndex={-1}
      onKeyDownCapture={onKeyDownCapture}
      onKeyDown={onKeyDown}
      aria-labelledby={titleId}
      data-testid="approval"
      className="flex max-w-3xl min-w-0 flex-col gap-3 rounded-md border border-line bg-raised p-4 accent-solid outline-none focus:border-accent"
    >
      <header className="flex flex-wrap items-baseline gap-x-3">
        <h2 id={titleId} className="min-w-0 flex-1 basis-60 text-lg break-words text-dim">
          <bdi className="font-semibold text-text">{client}</bdi> wants to run <bdi className="font-semibold text-text">{tool}</bdi> on <bdi>{member}</bdi>
        </h2>
        <TimeLeft untilMs={approval.expiresAtMs} />
      </header>
      {detail && <ToolSays detail={detail} />}
      {error && <ErrorReport report={error} />}
      {!isOffer && !detail && !error && <Reading what="the tool" className="" />}
      {(isOffer || (detail ?? error)) && <Arguments key={detail?.inputSchema} approval={approval} detail={detail} lent={form} />}
    </div>
  );
}

/** The tool's description and hints, as its server reports them. */
function ToolSays({ detail }: { detail: ToolDetail }) {
  const hints = hintWords(detail.summary.hints);
  return (
    <div className="flex flex-col gap-2">
      {detail.description !== "" && <p className="line-clamp-3 break-words whitespace-pre-wrap text-dim">{detail.description}</p>}
      {hints.length === 0 && <p className="text-sm text-dim">The server doesn&apos;t say whether this tool changes data.</p>}
      {hints.length > 0 && (
        <ul aria-label="Hints reported by the server" className="flex flex-wrap gap-1.5">
          {hints.map(({ word, says, colour }) => (
            <li key={word}>
              <Tooltip text={`Reported by the server: ${says}`}>
                <span><Badge tone={colour.includes("text-bad") ? "bad" : colour.includes("text-ok") ? "ok" : "plain"}><span className="inline-block first-letter:uppercase">{word}</span></Badge></span>
              </Tooltip>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** A schema that allows any arguments, for a tool whose schema could not be read. */
const ANYTHING = { inputSchema: "{}" };

interface Lent {
  readonly allow: () => void;
  readonly allowAnyway: () => void;
  readonly deny: () => void;
}

function Arguments({ approval, detail, lent }: { approval: Approval; detail: ToolDetail | null; lent: Ref<Lent> }) {
  const hall = useHall();
  const agents = useAgents();
  const { pickPath } = useDesktop();
  const { approvals } = agents;
  const { id, member, tool } = approval;
  const node = useMemo(() => formOf(detail ?? ANYTHING), [detail]);
  const first = useMemo(() => draftFromJson(approval.arguments), [approval.arguments]);
  const draft = useStore(approvals.drafts, (drafts) => drafts.get(id)) ?? first;
  const onDraft = useCallback((next: typeof draft) => approvals.keepDraft(id, next), [approvals, id]);
  const [whole, setWhole] = useState(false);
  const [asJson, setAsJson] = useState<ReadonlySet<string>>(new Set());
  const { body, commit, jump, fields } = useFormState(node, draft, asJson, setWhole);
  const { prefix } = fields;
  const settled = useSettled(id);
  const operation = useOperation();
  const wanted = useRef<Exclude<Decision, "deny">>("once");
  const changed = useMemo(() => !sameText(draft, first), [draft, first]);

  const check = useCallback(
    (args: string): Promise<CheckedArguments> =>
      isOfferName(tool) ? Promise.resolve({ errors: [], notes: [] }) : hall.ask("check_arguments", { member, tool, arguments: args }).catch(unchecked),
    [hall, member, tool],
  );
  const decide = (decision: Decision, args: string | null, how: ArgumentCheck = "refuse") =>
    void operation.go(() => approvals.decide(id, decision, args, how));
  // If the arguments are `null`, the engine forwards the agent's arguments byte for byte.
  const asChanged = (args: string) => (changed ? args : null);
  const keys = useKeysOf("run");
  const anywayKeys = useKeysOf("send-anyway");
  const checking = useCheckFirst({
    draft,
    check,
    onRun: (args) => decide(wanted.current, asChanged(args)),
    onSendAnyway: (args) => decide("once", asChanged(args), "send-anyway"),
  });
  const unavailable = operation.busy ? "Sending…" : !settled ? "One moment…" : undefined;
  const cannotAllow = unavailable ?? (checking.checking ? "Checking…" : undefined);

  /** Whether the check rejected the arguments. The user can then send them anyway. */
  const misfits = checking.problems.length > 0;
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
    deny: () => unavailable === undefined && decide("deny", null),
  }));
  const json = <JsonBox id={`${prefix}-json`} label="Arguments as JSON" draft={draft} onDraft={onDraft} />;
  const asText = whole || detail === null;
  return (
    <div className="flex flex-col gap-3">
      <div ref={body} tabIndex={-1} className="@container max-h-[50vh] overflow-y-auto outline-none">
        <div>
          <h3 className="sr-only">Arguments</h3>
          <ProblemSummary problems={checking.problems} notes={[...(detail?.schemaNotes ?? []), ...checking.notes]} onJump={jump} />
          {asText ? (
            <div className="py-1">{json}</div>
          ) : (
            <FormPanel {...{ ...fields, node, draft, onDraft, asJson, setAsJson, pickPath }} problems={checking.problems} whole={json} />
          )}
        </div>
      </div>
      <div className="flex flex-wrap items-center gap-2">
        {detail && (
          <Button look="quiet" className="-ms-2.5" aria-pressed={whole} onClick={() => setWhole(!whole)}>
            {whole ? "Back to the fields" : "Edit as JSON"}
          </Button>
        )}
        {changed && (
          <>
            <span className="text-sm text-warn"><Sign of="delta" className="me-1" />Changed by you</span>
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
      {operation.problem && <ErrorReport report={operation.problem} />}
      <div className="flex flex-wrap items-center gap-2 border-t border-line pt-3">
        <Button unavailable={unavailable} onClick={() => decide("deny", null)}>
          Deny
        </Button>
        <span className="inline-flex">
          <Button look="accent" className="rounded-e-none" title={keys} unavailable={cannotAllow} onClick={() => allow("once")}>
            Approve once
          </Button>
          <Menu
            align="start"
            items={[{
              label: <>Always allow<span className="text-sm text-dim"><bdi>{tool}</bdi> will run without asking, for every client and any arguments. You can change this in Permissions.</span></>,
              unavailable: cannotAllow,
              onSelect: () => allow("always"),
            }]}
          >
            <Button look="accent" aria-label="More ways to approve" className={`ms-px rounded-s-none px-1.5! ${cannotAllow === undefined ? "" : "opacity-50"}`}>
              <Sign of="chevronDown" />
            </Button>
          </Menu>
        </span>
        {misfits && (
          <Button look="quiet" title={keyed("Approve once without validation", anywayKeys)} unavailable={cannotAllow} onClick={allowAnyway}>
            Approve anyway
          </Button>
        )}
        <span className="text-sm text-faint">
          {keys !== undefined && <><kbd className="font-sans">{keys}</kbd> approves once, </>}<kbd className="font-sans">D</kbd> denies
        </span>
      </div>
    </div>
  );
}

/** Whether both drafts have the same JSON text. */
function sameText(a: Parameters<typeof toJsonText>[0], b: Parameters<typeof toJsonText>[0]): boolean {
  if (a === b) return true;
  const [one, other] = [toJsonText(a), toJsonText(b)];
  return "ok" in one && "ok" in other && one.ok === other.ok;
}
