/** One call of the past: its result, its arguments and the actions on it. */
import { useEffect, useMemo, useRef, useState } from "react";

import { useHouse } from "../app/house";
import type { ArgumentCheck, EntryId, RecordedCall, ToolDetail } from "../bridge/bindings";
import { sheetKey, shownRun } from "../hall/workbench";
import { useStore } from "../hall/store";
import { Button } from "../parts/Button";
import { Sign } from "../parts/Icon";
import { IconButton } from "../parts/IconButton";
import { Menu } from "../parts/Menu";
import { isFocusNowhere } from "../parts/focus";
import { useSlow } from "../parts/useSlow";
import { NoRequestContext } from "../results/RawPane";
import { ResultPane } from "../results/ResultPane";
import { SaveContext } from "../results/SaveButton";
import { ConfirmSend } from "../tool/ConfirmSend";
import { duration, moment } from "../words/time";
import { Arguments } from "./Arguments";
import { NameForm } from "./NameForm";
import { callerOf, callerWord, entryFace, outcomeOf } from "./outcome";
import { replayOf } from "./replay";
import { runAgain, useRefused, whyNotAgain } from "./runAgain";
import { HistoryTrouble } from "./HistoryTrouble";
import { isTool, useEntry, whyGone, type KnownEntry } from "./useEntry";
import { useSaved } from "./useSaved";

interface Props {
  readonly id: EntryId;
  readonly onClose: () => void;
}

export function EntryView({ id, onClose }: Props) {
  const known = useEntry(id);
  const slow = useSlow(known.call === null && known.error === null);
  const head = useRef<HTMLHeadingElement>(null);
  const there = known.call !== null;
  // If the user opened it with a key, move the focus here.
  useEffect(() => {
    // Don't take the focus from another element, such as the form that the user is typing into.
    const here = isFocusNowhere() || document.getElementById("dock")?.contains(document.activeElement) === true;
    if (there && here) head.current?.focus();
  }, [id, there]);
  return (
    <article aria-label="Call" className="flex min-h-0 min-w-0 flex-1 flex-col overflow-y-auto" data-testid="history-entry">
      {known.error !== null && (
        <HistoryTrouble report={known.error}>
          <Button className="mt-1" onClick={onClose}>Close</Button>
        </HistoryTrouble>
      )}
      {slow && <p role="status" className="p-3 text-dim">Reading the call…</p>}
      {known.call !== null && <Known key={id} {...{ known, head, onClose }} call={known.call} />}
    </article>
  );
}

interface KnownProps extends Omit<Props, "id"> {
  readonly known: KnownEntry;
  readonly call: RecordedCall;
  readonly head: React.Ref<HTMLHeadingElement>;
}

function Known({ known, call, head, onClose }: KnownProps) {
  const { hall } = useHouse();
  const { entry, masked } = call;
  const outcome = useMemo(() => outcomeOf(call), [call]);
  const face = entryFace(entry);
  return (
    <>
      <header className="flex shrink-0 flex-col gap-1 border-b border-line px-3 py-2">
        <div className="flex items-start gap-2">
          <h2 ref={head} tabIndex={-1} className="min-w-0 flex-1 text-lg font-semibold break-words outline-none">
            <bdi className="font-normal text-dim">{entry.member}</bdi> <span aria-hidden className="text-faint">›</span>{" "}
            <bdi>{entry.tool}</bdi>
          </h2>
          <IconButton icon="close" label="Close the call" title="Close" onClick={onClose} />
        </div>
        <p className="text-sm text-dim">
          <Sign of={face.shape} className={`me-1 ${face.colour}`} />{face.word} · {moment(entry.atMs)} · {duration(entry.durationMs)} · {callerOf(entry) ?? callerWord("window")}
        </p>
        <Deeds {...{ known, call }} />
      </header>
      <section aria-label="Result of the call" className="flex min-h-64 flex-1 flex-col">
        {call.truncated && (
          <p data-testid="entry-cut" className="px-3 pt-2 text-warn">
            <Sign of="warning" className="me-1" />The result was too long to be kept whole; this is its beginning.
          </p>
        )}
        <SaveContext value={hall.saveFile ?? null}>
          <NoRequestContext value="The history keeps the arguments, which are below, but not the request that carried them.">
            <ResultPane outcome={outcome} running={null} onCancel={() => undefined} />
          </NoRequestContext>
        </SaveContext>
      </section>
      <div className="border-t border-line">
        <Arguments text={call.arguments} masked={masked} />
      </div>
    </>
  );
}

/** Changes of the tool that matter before the call is repeated. */
function sinceWords(tool: KnownEntry["tool"], call: RecordedCall): string | null {
  const gone = whyGone(tool);
  if (gone !== undefined) return gone;
  if (call.schema === "changed") return "The tool's arguments have changed since this call.";
  return call.schema === "unknown" && isTool(tool) ? "Whether the tool's arguments have changed since this call is not known." : null;
}

function Deeds({ known, call }: Pick<KnownProps, "known" | "call">) {
  const house = useHouse();
  const { history, bench, desk, spoken } = house;
  const { member, tool } = call.entry;
  const key = sheetKey(member, tool);
  const gone = whyGone(known.tool);
  const [asking, setAsking] = useState<ArgumentCheck | "name" | null>(null);
  const naming = useRef<HTMLButtonElement>(null);
  const past = { member, tool, arguments: call.arguments };
  const refused = useRefused(house, past);
  const saved = useSaved(member, tool, asking === "name");
  const place = useStore(house.place, (now) => now);
  const onScreen = useStore(bench.sheets, () =>
    place.kind === "tool" ? shownRun(bench.sheet(sheetKey(place.member, place.tool))) : null,
  );
  const since = sinceWords(known.tool, call);

  const replay = () => {
    const { draft, notes } = replayOf(call.arguments, call.masked, call.schema);
    house.handOver(member, tool, draft, notes);
  };
  const again = (detail: ToolDetail | null, check: ArgumentCheck) => {
    if (detail?.summary.hints.destructive === true && !desk.trusted.get().has(key)) setAsking(check);
    else runAgain(house, past, check);
  };
  const named = () => {
    setAsking(null);
    naming.current?.focus();
  };
  const whyNot = known.tool === null ? "The tool is being looked up" : whyNotAgain(call.masked, gone);
  return (
    <>
      <div className="flex flex-wrap items-center gap-2">
        <Button unavailable={gone} onClick={replay}>Open in form</Button>
        <Button unavailable={whyNot} onClick={() => again(isTool(known.tool) ? known.tool : null, "refuse")}><Sign of="refresh" />Run again</Button>
        {refused && (
          <Button
            unavailable={whyNot}
            onClick={() => again(isTool(known.tool) ? known.tool : null, "send-anyway")}
          >
            Run without validation
          </Button>
        )}
        <Menu
          items={[
            { label: "Save as…", icon: "bookmark", onSelect: () => setAsking("name") },
            {
              label: "Compare with current result",
              unavailable: onScreen?.outcome ? undefined : "Run a tool first",
              onSelect: () => onScreen?.outcome && history.compare({ kind: "entry", entry: call.entry }, { kind: "run", run: onScreen }),
            },
            { label: "Filter by this tool", icon: "filter", onSelect: () => history.narrow({ member, tool }) },
          ]}
        >
          <IconButton ref={naming} icon="more" label="More actions for the call" title="More actions" />
        </Menu>
      </div>
      {since !== null && <p data-testid="entry-since" className="text-sm break-words text-warn"><Sign of="warning" className="me-1" />{since}</p>}
      {asking === "name" && (
        <NameForm
          label="Name"
          verb="Save"
          taken={saved?.calls.map(({ name }) => name)}
          onName={async (name, existing) => {
            await history.saved.save(member, tool, name, call.arguments, existing);
            return null;
          }}
          onDone={() => {
            named();
            spoken.set("The call was saved.");
          }}
          onLeave={named}
        />
      )}
      {asking !== null && asking !== "name" && (
        <ConfirmSend
          {...{ member, tool }}
          asked={{ text: call.arguments, check: asking, timeoutMs: null }}
          onSend={(always) => {
            if (always) desk.trust(key);
            setAsking(null);
            runAgain(house, past, asking);
          }}
          onLeave={() => setAsking(null)}
        />
      )}
    </>
  );
}
