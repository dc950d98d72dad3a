import { type ReactNode, useState } from "react";

import { useHouse } from "../app/house";
import type { MemberView, Suspicion, ToolDetail, ToolHints, ToolMark, ToolName } from "../bridge/bindings";
import { HintMarks } from "../parts/HintMarks";
import { Sign } from "../parts/Icon";
import { StatusMark } from "../parts/StatusMark";
import { words as suspicionWords } from "../words/suspicions";
import { foundWords, isConfirmed } from "../words/found";
import { hintWords } from "../words/hints";

const MARK: Record<ToolMark, string> = {
  new: "New since it was accepted: held back from agents",
  changed: "Changed since it was accepted: held back from agents",
};

/** Descriptions longer than this are cut to a few lines until one asks for more. */
const LONG = 180;

interface Props {
  view: MemberView;
  tool: ToolName;
  detail: ToolDetail | null;
  /** What can be done with the tool, at the end of the first line. */
  children?: ReactNode;
}

/** Which tool, of whom, and what its server says of it. */
export function ToolHead({ view, tool, detail, children }: Props) {
  const house = useHouse();
  const title = detail?.summary.title ?? null;
  return (
    <header className="shrink-0 border-b border-line px-4 py-2">
      <div className="flex flex-wrap items-center gap-x-2">
        <button
          type="button"
          className="max-w-full truncate rounded-sm text-dim hover:text-text hover:underline"
          onClick={() => house.openMember(view.name)}
        >
          {view.name}
        </button>
        <span aria-hidden className="text-faint">›</span>
        <h1 className="min-w-0 text-lg font-semibold break-words">{tool}</h1>
        {detail && <HintMarks hints={detail.summary.hints} />}
        <span className="text-sm text-dim">
          <StatusMark status={view.status} />
        </span>
        {detail?.freshness === "cached" && (
          <span className="text-sm text-faint" title="From the cache; its server has not said it in this run">
            cached
          </span>
        )}
        {detail?.freshness === "outdated" && (
          <span className="rounded-sm bg-warn-fill px-1 text-sm text-warn">
            <Sign of="warning" className="me-1" />outdated: said by another version or configuration
          </span>
        )}
        {detail?.found && <span data-testid="tool-found" className={`text-sm ${isConfirmed(detail.found) ? "text-faint" : "text-warn"}`}><Sign of="warning" className="me-1" />{foundWords(detail.found)}</span>}
        {detail?.summary.mark && (
          <button
            type="button"
            className="rounded-sm bg-warn-fill px-1 text-sm text-warn hover:underline"
            title="Your own calls work; agents get it once it is accepted"
            onClick={() => house.openReview(view.name)}
          >
            {MARK[detail.summary.mark]}
          </button>
        )}
        <span className="ms-auto flex min-w-0 items-center gap-2 slim:flex-wrap">{children}</span>
      </div>
      {title !== null && title !== tool && <p className="break-words">{title}</p>}
      {detail && detail.description !== "" && <Description text={detail.description} />}
      {detail && <Hints hints={detail.summary.hints} />}
      {detail && toldOf(view, detail.suspicions).map(({ place, kind, what }) => (
        <p data-testid="tool-suspicion" key={`${place} ${kind}`} className="text-sm break-words text-bad"><Sign of="warning" className="me-1" />{suspicionWords[kind]}: {what}</p>
      ))}
      {detail?.schemaNotes.map((note) => (
        <p key={note} className="text-sm break-words text-warn"><Sign of="warning" className="me-1" />{note}</p>
      ))}
    </header>
  );
}

/** What is told with each look at a tool. Members of one's own may have names in common: the review says so. */
function toldOf(view: MemberView, suspicions: readonly Suspicion[]): readonly Suspicion[] {
  const ofNames = (kind: Suspicion["kind"]) => kind === "shadows" || kind === "look-alike";
  return suspicions.filter(({ kind }) => view.trust.launch !== "own" || !ofNames(kind));
}

/** What the server says that the tool does, in words: read before the tool is run. */
function Hints({ hints }: { hints: ToolHints }) {
  const said = hintWords(hints);
  return (
    <p data-testid="tool-hints" className="mt-0.5 text-sm text-faint">
      {said.length === 0 ? "The server does not say whether it changes or destroys anything." : "The server says: "}
      {said.map(({ word, says, colour }, index) => (
        <span key={word}>
          {index > 0 && " · "}
          <span className={colour} title={says}>{word}</span>
        </span>
      ))}
    </p>
  );
}

/** A server's words: text, never anything else. */
function Description({ text }: { text: string }) {
  const [all, setAll] = useState(false);
  const long = text.length > LONG || text.includes("\n");
  return (
    <div className="mt-0.5 flex items-end gap-2 text-dim">
      <p
        className={`min-w-0 max-w-prose flex-1 break-words whitespace-pre-wrap select-text ${
          all ? "max-h-60 overflow-y-auto" : "line-clamp-2"
        }`}
      >
        {text}
      </p>
      {long && (
        <button type="button" aria-expanded={all} className="shrink-0 rounded-sm text-accent hover:underline" onClick={() => setAll(!all)}>
          {all ? "less" : "more"}
        </button>
      )}
    </div>
  );
}
