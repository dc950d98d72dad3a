/** A sheet with one past call: its result, its arguments, and actions on the call. */
import { Popover, Tabs } from "radix-ui";
import { useEffect, useMemo, useRef, useState } from "react";

import type { ArgumentCheck, EntryId, RecordedCall, ToolDetail } from "../../ipc/bindings";
import { asRefusal } from "../../ipc/bridge";
import { useHall } from "../../lib/hall/hall";
import { useNavigation } from "../../lib/navigation/navigation";
import { handOver } from "../tool/handOver";
import { sheetKey, shownRun, useWorkbench } from "../tool/workbench";
import { useStore } from "../../lib/store";
import { Badge } from "../../components/Badge";
import { Button } from "../../components/Button";
import { CopyButton } from "../../components/CopyButton";
import { Icon, Sign } from "../../components/Icon";
import { IconButton } from "../../components/IconButton";
import { Menu } from "../../components/Menu";
import { PopoverPane } from "../../components/PopoverPane";
import { Reading } from "../../components/Reading";
import { Sheet } from "../../components/Sheet";
import { SIGNS } from "../../components/signs";
import { showToast } from "../../lib/toasts";
import { copyText } from "../../lib/copy";
import { NoRequestContext } from "../results/RawPane";
import { ResultPane } from "../results/ResultPane";
import { SaveContext } from "../results/SaveButton";
import { moment } from "../../lib/time";
import { Arguments } from "./Arguments";
import { NameForm } from "./NameForm";
import { useCallHistory } from "./callHistory";
import { callerOf, outcomeOf } from "./outcome";
import { replayOf } from "./replay";
import { useRepeat, whyNotAgain } from "./runAgain";
import { HistoryErrorReport } from "./HistoryErrorReport";
import { isTool, useEntry, whyGone, type KnownEntry } from "./useEntry";
import { useSaved } from "./useSaved";

interface Props {
  readonly id: EntryId;
  readonly onClose: () => void;
}

export function CallSheet({ id, onClose }: Props) {
  const known = useEntry(id);
  const head = useRef<HTMLSpanElement>(null);
  const { call, error } = known;
  const isRead = call !== null;
  // If the user opens another call from the list by a key while the sheet is open, the sheet takes the focus again.
  useEffect(() => {
    if (isRead && document.activeElement?.role === "listbox") head.current?.focus();
  }, [id, isRead]);
  const name = call === null ? "Call" : isTool(known.tool) ? (known.tool.summary.title ?? call.entry.tool) : call.entry.tool;
  return (
    <Sheet
      testid="history-entry"
      title={
        <span ref={head} tabIndex={-1} className="flex flex-wrap items-center gap-2 outline-none">
          <bdi>{name}</bdi>
          {isTool(known.tool) && <Hint tool={known.tool} />}
        </span>
      }
      onClose={onClose}
    >
      {error !== null && <HistoryErrorReport report={error} />}
      {call === null && error === null && <Reading what="the call" className="p-4" />}
      {call !== null && <Known key={id} known={known} call={call} onClose={onClose} />}
    </Sheet>
  );
}

function Hint({ tool: { summary: { hints } } }: { tool: ToolDetail }) {
  if (hints.destructive === true) return <Badge tone="bad" icon="warning">Destructive</Badge>;
  return hints.readOnly === true && <Badge tone="ok" icon="eye">Read-only</Badge>;
}

interface KnownProps {
  readonly known: KnownEntry;
  readonly call: RecordedCall;
  readonly onClose: () => void;
}

function Known({ known, call, onClose }: KnownProps) {
  const navigation = useNavigation();
  const hall = useHall();
  const { entry, masked } = call;
  const outcome = useMemo(() => outcomeOf(call), [call]);
  const tab = "-mb-px border-b-2 border-transparent py-2 font-medium text-dim hover:text-text data-[state=active]:border-accent data-[state=active]:text-text";
  return (
    <>
      <div className="flex shrink-0 flex-col gap-2 px-4 py-3">
        <p className="flex flex-wrap items-center gap-x-1.5">
          <button type="button" className="rounded-sm text-dim hover:text-text hover:underline" onClick={() => navigation.openMember(entry.member)}><bdi>{entry.member}</bdi></button>
          <Icon of={SIGNS.chevronRight} size={14} className="text-faint rtl:-scale-x-100" />
          <code className="font-mono text-sm"><bdi>{entry.tool}</bdi></code>
        </p>
        <p className="text-sm text-dim">
          By <bdi>{entry.caller === "window" ? "you" : callerOf(entry)}</bdi> · {moment(entry.atMs).slice(0, -".000".length)}
        </p>
        {entry.traceId !== null && (
          <p data-testid="entry-trace" className="flex items-center gap-1.5 text-sm text-dim">
            Trace <code className="min-w-0 truncate font-mono text-sm">{entry.traceId}</code>
            <CopyButton icon what="the trace ID" text={() => entry.traceId ?? ""} />
          </p>
        )}
        <Actions {...{ known, call, onClose }} />
      </div>
      <Tabs.Root defaultValue="result" className="flex min-h-0 flex-1 flex-col">
        <Tabs.List aria-label="Call" className="flex shrink-0 gap-5 border-b border-line px-4">
          <Tabs.Trigger value="result" className={tab}>Result</Tabs.Trigger>
          <Tabs.Trigger value="arguments" className={tab}>Arguments</Tabs.Trigger>
        </Tabs.List>
        <Tabs.Content value="result" className="flex min-h-64 flex-1 flex-col data-[state=inactive]:hidden -outline-offset-2">
          {call.truncated && (
            <p data-testid="entry-cut" className="px-4 pt-2 text-warn">
              <Sign of="warning" className="me-1" />Result truncated (too long to store)
            </p>
          )}
          <SaveContext value={hall.saveFile ?? null}>
            <NoRequestContext value="The original message isn't stored.">
              <ResultPane outcome={outcome} running={null} onCancel={() => undefined} />
            </NoRequestContext>
          </SaveContext>
        </Tabs.Content>
        <Tabs.Content value="arguments" className="min-h-0 flex-1 overflow-y-auto -outline-offset-2">
          <Arguments text={call.arguments} masked={masked} />
        </Tabs.Content>
      </Tabs.Root>
    </>
  );
}

/** A warning about a change of the tool since the call, for the user who repeats the call; `null` without a change. */
function changeWords(tool: KnownEntry["tool"], call: RecordedCall): string | null {
  const gone = whyGone(tool);
  if (gone !== undefined) return gone;
  if (call.schema === "changed") return "The tool's arguments have changed since this call.";
  return call.schema === "unknown" && isTool(tool) ? "The tool's arguments may have changed since this call." : null;
}

function Actions({ known, call, onClose }: KnownProps) {
  const history = useCallHistory();
  const bench = useWorkbench();
  const hall = useHall();
  const navigation = useNavigation();
  const { member, tool } = call.entry;
  const key = sheetKey(member, tool);
  const gone = whyGone(known.tool);
  const [naming, setNaming] = useState(false);
  const more = useRef<HTMLButtonElement>(null);
  const past = { member, tool, arguments: call.arguments };
  const { repeat, confirmation, refused } = useRepeat(past);
  const saved = useSaved(member, tool, naming);
  const current = useStore(bench.sheets, () => shownRun(bench.sheet(key)));
  const since = changeWords(known.tool, call);

  const openInForm = () => {
    const { draft, notes } = replayOf(call.arguments, call.masked, call.schema);
    handOver({ bench, navigation }, member, tool, draft, notes);
  };
  const showSession = async () => {
    try {
      history.narrow({ session: await hall.ask("agent_session", { id: call.entry.id }) });
    } catch (reason) {
      hall.tell(asRefusal(reason).report);
    }
  };
  const again = (check: ArgumentCheck) => repeat(isTool(known.tool) ? known.tool : null, check);
  const whyNot = known.tool === null ? "Loading the tool" : whyNotAgain(call.masked, gone);
  return (
    <>
      <div className="flex flex-wrap items-center gap-2">
        <Button unavailable={gone} onClick={openInForm}>Open in form</Button>
        <Button unavailable={whyNot} onClick={() => again("refuse")}><Sign of="refresh" />Run again</Button>
        {refused && <Button unavailable={whyNot} onClick={() => again("send-anyway")}>Run without validation</Button>}
        <Popover.Root open={naming} onOpenChange={setNaming}>
          <Popover.Anchor asChild>
            <span className="inline-flex">
              <Menu
                items={[
                  { label: "Save as…", icon: "bookmark", onSelect: () => setNaming(true) },
                  { label: "Copy arguments", icon: "copy", onSelect: () => void copyText(call.arguments).then(() => showToast({ text: "Copied the arguments" })) },
                  {
                    label: "Compare with current result",
                    icon: "delta",
                    unavailable: current?.outcome ? undefined : "Run the tool first",
                    onSelect: () => current?.outcome && history.compare({ kind: "entry", entry: call.entry }, { kind: "run", run: current }),
                  },
                  { label: "Filter by this tool", icon: "filter", onSelect: () => history.narrow({ member, tool }) },
                  ...(call.entry.caller === "agent" ? [{ label: "Show session", icon: "bot" as const, onSelect: () => void showSession() }] : []),
                  "line",
                  {
                    label: "Delete",
                    icon: "trash",
                    danger: true,
                    onSelect: () => {
                      history.remove([call.entry]);
                      onClose();
                    },
                  },
                ]}
              >
                <IconButton ref={more} icon="more" label="More actions for the call" title="More actions" />
              </Menu>
            </span>
          </Popover.Anchor>
          <PopoverPane
            stays
            align="end"
            aria-label="Save this call"
            className="w-[min(420px,calc(100vw-24px))] p-3"
            onCloseAutoFocus={(event) => {
              event.preventDefault();
              more.current?.focus();
            }}
          >
            <NameForm
              label="Name"
              verb="Save"
              taken={saved?.calls.map(({ name }) => name)}
              onName={async (name, existing) => {
                await history.saved.save(member, tool, name, call.arguments, existing);
                return null;
              }}
              onDone={() => {
                setNaming(false);
                showToast({ text: "Saved the call" });
              }}
              onLeave={() => setNaming(false)}
            />
          </PopoverPane>
        </Popover.Root>
      </div>
      {since !== null && <p data-testid="entry-since" className="text-sm break-words text-warn"><Sign of="warning" className="me-1" />{since}</p>}
      {confirmation}
    </>
  );
}
