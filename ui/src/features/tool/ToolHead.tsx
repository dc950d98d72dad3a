import { type ReactElement, type ReactNode, useState } from "react";

import type { MemberView, Suspicion, ToolDetail, ToolMark, ToolName } from "../../ipc/bindings";
import { Badge } from "../../components/Badge";
import { copyText } from "../../lib/copy";
import { Sign } from "../../components/Icon";
import { Tooltip } from "../../components/Tooltip";
import { useNavigation } from "../../lib/navigation/navigation";
import { useSpoken } from "../../lib/spoken";
import { words as suspicionWords } from "../../lib/words/suspicions";
import { foundWords, isConfirmed } from "../../lib/words/found";

const MARK: Record<ToolMark, string> = { new: "New", changed: "Changed" };
const BADGES_MAX = 2;

/** Descriptions with more characters than this are cut to a few lines until the user expands them. */
const LONG = 180;

interface Props {
  view: MemberView;
  tool: ToolName;
  detail: ToolDetail | null;
  /** The tool's actions, shown at the end of the title row. */
  children?: ReactNode;
}

/** The header of a tool's page: its title, member, badges and description. */
export function ToolHead({ view, tool, detail, children }: Props) {
  const navigation = useNavigation();
  const spoken = useSpoken();
  return (
    <header className="shrink-0 border-b border-line px-5 pt-2.5 pb-3">
      <div className="flex min-w-0 items-center gap-1.5 text-sm text-dim">
        <button type="button" className="max-w-full truncate rounded-sm hover:text-text hover:underline" onClick={() => navigation.openMember(view.name)}>
          {view.name}
        </button>
        <Sign of="chevronRight" className="shrink-0 text-faint rtl:-scale-x-100" />
        <Tooltip text="Copy name">
          <button type="button" className="min-w-0 truncate rounded-sm font-mono hover:text-text" aria-label={`Copy ${tool}`} onClick={() => void copyText(tool).then((done) => spoken.set(done ? "Copied" : "Not copied"))}>
            {tool}
          </button>
        </Tooltip>
      </div>
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <h1 className="min-w-0 text-lg font-semibold tracking-[-0.006em] break-words">{detail?.summary.title ?? tool}</h1>
        {detail && <Badges view={view} detail={detail} />}
        <span className="ms-auto flex min-w-0 items-center gap-2 slim:flex-wrap">{children}</span>
      </div>
      {detail && detail.description !== "" && <Description text={detail.description} />}
      {detail?.found && (
        <p data-testid="tool-found" className={`text-sm ${isConfirmed(detail.found) ? "text-faint" : "text-warn"}`}>
          <Sign of="warning" className="me-1" />
          {foundWords(detail.found)}
        </p>
      )}
      {detail && toldOf(view, detail.suspicions).map(({ place, kind, what }) => (
        <p data-testid="tool-suspicion" key={`${place} ${kind}`} className="text-sm break-words text-bad"><Sign of="warning" className="me-1" />{suspicionWords[kind]}: {what}</p>
      ))}
    </header>
  );
}

/** The most important hints and states of a tool, as at most two badges. */
function Badges({ view, detail }: { view: MemberView; detail: ToolDetail }) {
  const navigation = useNavigation();
  const { hints, mark } = detail.summary;
  const badges: { readonly badge: ReactElement; readonly says: string; readonly onOpen?: () => void }[] = [];
  if (hints.destructive === true) badges.push({ badge: <Badge tone="bad" icon="warning">Destructive</Badge>, says: "This tool may delete or overwrite data. You confirm each call. Reported by the server." });
  else if (hints.readOnly === true) badges.push({ badge: <Badge tone="ok" icon="eye">Read-only</Badge>, says: "This tool changes nothing. Reported by the server." });
  if (mark !== null) badges.push({ badge: <Badge tone="warn" icon="shield">{MARK[mark]}</Badge>, says: "Hidden from agents until you review it. You can run it.", onOpen: () => navigation.openReview(view.name) });
  if (detail.freshness === "outdated") badges.push({ badge: <Badge tone="warn" icon="warning">Outdated</Badge>, says: "From another version or configuration of the member." });
  if (hints.openWorld === true) badges.push({ badge: <Badge icon="globe">External access</Badge>, says: "This tool reaches systems outside of its server. Reported by the server." });
  if (badges.length === 0 && hints.readOnly === null && hints.destructive === null) {
    badges.push({ badge: <Badge icon="question">Effects unknown</Badge>, says: "The server doesn't say whether this tool changes data." });
  }
  if (detail.freshness === "cached") badges.push({ badge: <Badge>Cached</Badge>, says: "From the cache. The server hasn't confirmed it since it started." });
  return (
    <span data-testid="tool-hints" className="inline-flex flex-wrap gap-1">
      {badges.slice(0, BADGES_MAX).map(({ badge, says, onOpen }) => (
        <Tooltip key={says} text={says}>
          {onOpen ? (
            <button type="button" className="rounded-full hover:brightness-110" onClick={onOpen}>{badge}<span className="sr-only">{says}</span></button>
          ) : (
            <span className="inline-flex">{badge}<span className="sr-only">{says}</span></span>
          )}
        </Tooltip>
      ))}
    </span>
  );
}

/** The suspicions to show. Name clashes of the user's own members are left out; the review shows them. */
function toldOf(view: MemberView, suspicions: readonly Suspicion[]): readonly Suspicion[] {
  const ofNames = (kind: Suspicion["kind"]) => kind === "shadows" || kind === "look-alike";
  return suspicions.filter(({ kind }) => view.trust.launch !== "own" || !ofNames(kind));
}

/** The server's description of the tool, rendered as plain text. */
function Description({ text }: { text: string }) {
  const [all, setAll] = useState(false);
  const long = text.length > LONG || text.includes("\n");
  return (
    <div className="mt-1 flex items-end gap-2 text-dim">
      <p
        className={`min-w-0 max-w-[720px] flex-1 break-words whitespace-pre-wrap select-text ${
          all ? "max-h-60 overflow-y-auto" : "line-clamp-2"
        }`}
      >
        {text}
      </p>
      {long && (
        <button type="button" aria-expanded={all} className="shrink-0 rounded-sm text-accent hover:underline" onClick={() => setAll(!all)}>
          {all ? "Less" : "More"}
        </button>
      )}
    </div>
  );
}
