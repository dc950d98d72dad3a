/** The table of all tools: what each is, how it is known, its policy, and why agents do not get it. */
import { useMemo } from "react";

import { PART_KEYS } from "../../app/actionKeys";
import { whyNot } from "../../app/actions";
import { useHouse, type House } from "../../app/house";
import type { DiscoveryStatus, MemberName, Policy, ProfileName, ReadOnlyClaim, Report, ToolName } from "../../bridge/bindings";
import { useStore } from "../../hall/store";
import { anchorOfCode } from "../../help/anchors";
import { ErrorCode } from "../../parts/ErrorCode";
import { HintMarks } from "../../parts/HintMarks";
import { Sign } from "../../parts/Icon";
import { useNow } from "../../parts/useNow";
import { keyLabel } from "../../words/keys";
import { ago, moment } from "../../words/time";
import { RowGrid, type Column } from "../RowGrid";
import { isGoverned, isOffer, keyOfRow, type CatalogRow, type GovernedRow } from "./catalogRows";
import { PolicyChoice } from "./PolicyChoice";
import { discoveryFace } from "./policyWords";

const KINDS = { native: "native", mcp: "mcp", prompt: "prompt", resource: "resource", template: "template" };

const TOOLS_ARE: Record<DiscoveryStatus, string> = {
  never: "tools never read",
  discovering: "tools being read",
  success: "tools read",
  failed: "tools could not be read",
};

const CLAIM_WHY = {
  doubted: "Its server says that it only reads, but its name or description says that it changes something. It counts as a tool that changes something until you confirm that it only reads.",
  confirmed: "You confirmed that it only reads, as its server says. Press to take that back.",
};

interface Props {
  readonly rows: readonly CatalogRow[];
  readonly profile: ProfileName | null;
  readonly chosen: ReadonlySet<string>;
  readonly onChosen: (chosen: ReadonlySet<string>) => void;
  readonly onPolicy: (row: GovernedRow, policy: Policy | null) => void;
  readonly onKey: (row: CatalogRow, key: string) => boolean;
  readonly onUndo: () => void;
}

export function ToolsTable({ rows, profile, chosen, onChosen, onPolicy, onKey, onUndo }: Props) {
  const house = useHouse();
  const now = useNow(60_000);
  const columns = useMemo(
    (): Column<CatalogRow>[] => [
      { title: "Member", look: "w-36 shrink-0 text-dim @max-5xl:w-28 @max-xl:w-24", cell: ({ member }) => <bdi title={member ?? "Guild Hall's own"}>{member ?? "Guild Hall"}</bdi> },
      { title: "Tool", look: "min-w-0 flex-1", cell: (row) => <ToolCell row={row} /> },
      { title: "Kind", look: "w-16 shrink-0 text-dim @max-3xl:hidden", cell: ({ kind }) => (kind === null ? "" : KINDS[kind]), rest: reasonOf },
      { title: "Hints", look: "w-16 shrink-0 @max-md:hidden", cell: ({ hints }) => <HintMarks hints={hints} /> },
      {
        title: "Policy",
        look: "w-64 shrink-0 @max-5xl:w-48 @max-2xl:w-44",
        cell: (row) =>
          isGoverned(row) && (
            <PolicyChoice governed={{ ...row, policy: row.ruling.policy, policyReason: row.ruling.reason }} profile={profile} onPolicy={(policy) => onPolicy(row, policy)} />
          ),
      },
      { title: "State", look: "w-60 shrink-0 text-sm text-dim @max-5xl:w-40 @max-4xl:hidden", cell: (row) => <StateCell row={row} now={now} /> },
    ],
    [profile, onPolicy, now],
  );
  const open = (row: CatalogRow) => {
    const { member, tool } = row;
    if (member !== null && tool !== null && !isOffer(row)) house.openTool(member, tool);
    else if (member !== null) house.openMember(member);
  };
  return (
    // What undoes stands above the rows, as their keys do.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div
      className="flex min-h-0 flex-1 flex-col"
      onKeyDown={(event) => {
        if (event.key.toLowerCase() !== "z" || !(event.ctrlKey || event.metaKey) || event.shiftKey) return;
        event.preventDefault();
        onUndo();
      }}
    >
      <RowGrid
        label="All tools and their policies"
        testId="policy-table"
        keptIn={house.agents.policies.row}
        rows={rows}
        keyOf={keyOfRow}
        columns={columns}
        keys={`Enter opens the tool. Space chooses a row, Shift with the arrows several, ${keyLabel(PART_KEYS.chooseAll)} all; Escape none. On a row, A allows, S asks a person first, D denies, and M does as the rules and the manifest say. With rows chosen it holds for all of them. ${keyLabel(PART_KEYS.undo)} takes the last change back. R reads the tools of a member again, and where that failed, E tells what the error means. C confirms that a tool only reads.`}
        choosing={{ chosen, onChosen, can: isGoverned }}
        onKey={(row, key) => {
          if (key === "Enter") open(row);
          else if (key.toLowerCase() === "r" && row.member !== null) void house.hall.tend("refresh_member", row.member);
          else if (key.toLowerCase() === "c" && row.member !== null && row.tool !== null && row.claim !== null) confirmClaim(house, row.member, row.tool, row.claim);
          else if (key.toLowerCase() === "e" && !isGoverned(row) && row.failed) house.openHelp(anchorOfCode(row.failed.code));
          else return onKey(row, key);
          return true;
        }}
      />
    </div>
  );
}

/** What has neither kind nor policy, and says how it stands already, has all that room for the reason. */
function reasonOf(row: CatalogRow) {
  return !isGoverned(row) && row.failed ? <Failed report={row.failed} /> : null;
}

function ToolCell({ row }: { row: CatalogRow }) {
  const house = useHouse();
  const { member, tool, description, withheld, claim } = row;
  if (tool === null) return <Unknown row={row} />;
  return (
    <>
      <bdi title={member === null ? tool : `${member}/${tool}`}>{tool}</bdi>
      {description !== "" && <span className="text-sm text-dim @max-xl:hidden" title={description}>{" "}{description}</span>}
      {member !== null && claim !== null && (
        <button
          type="button"
          // The row's key does the same; the grid is the one Tab stop.
          tabIndex={-1}
          title={CLAIM_WHY[claim]}
          className="ms-1.5 shrink-0 rounded-sm border border-line-strong bg-raised px-1.5 text-sm hover:bg-hover"
          onClick={(event) => {
            event.stopPropagation();
            confirmClaim(house, member, tool, claim);
          }}
        >
          <Sign of={claim === "doubted" ? "warning" : "dot"} className="me-1" />{claim === "doubted" ? "Confirm read-only (C)" : "Read-only confirmed"}
        </button>
      )}
      {withheld !== null && <span className="text-sm text-dim @4xl:hidden" title={withheld}> <Sign of="pause" className="me-1" />{withheld}</span>}
    </>
  );
}

/** Confirms the claim of a tool's server that it only reads, or takes the confirmation back. */
function confirmClaim({ agents, hall, spoken }: House, member: MemberName, tool: ToolName, claim: ReadOnlyClaim): void {
  const confirmed = claim === "doubted";
  void agents.change("confirm_read_only", { member, tool, confirmed }).then((refused) => {
    if (refused) hall.tell(refused);
    else spoken.set(confirmed ? `${tool} counts as read-only.` : `${tool} no longer counts as read-only.`);
  });
}

/** Why a member's tools could not be read, in one line, its code at the end of it. */
function Failed({ report }: { report: Report }) {
  return (
    <span data-code={report.code} className="flex items-baseline gap-1.5 text-sm text-dim">
      <span className="min-w-0 truncate" title={`${report.message} ${report.hint}`}>{report.message}</span>
      <ErrorCode code={report.code} className="max-w-2/3 shrink-0 truncate" rowKey="E" />
    </span>
  );
}

/** A member whose tools are not known as they are now. */
function Unknown({ row: { member, status } }: { row: CatalogRow }) {
  const { hall } = useHouse();
  const view = useStore(hall.state, ({ byName }) => (member === null ? undefined : byName.get(member)));
  const pending = useStore(hall.pending, (now) => now);
  if (member === null || status === null) return null;
  const { shape, colour } = discoveryFace(status);
  const unavailable = view ? whyNot("refresh", view, pending) : "There is no such member now";
  return (
    <span className="inline-flex max-w-full items-center gap-2">
      <span className="min-w-0 truncate">
        <Sign of={shape} className={`me-1 ${colour}`} />{TOOLS_ARE[status]}
      </span>
      {status !== "discovering" && (
        <button
          type="button"
          tabIndex={-1}
          aria-disabled={unavailable !== undefined}
          title={unavailable ?? "Read them again (R)"}
          className="shrink-0 rounded-sm border border-line-strong bg-raised px-1.5 text-sm hover:bg-hover aria-disabled:opacity-50"
          onClick={(event) => {
            event.stopPropagation();
            if (unavailable === undefined) void hall.tend("refresh_member", member);
          }}
        >
          {status === "never" ? "Read" : "Try again"}
        </button>
      )}
    </span>
  );
}

function StateCell({ row: { withheld, status, foundAtMs }, now }: { row: CatalogRow; now: number }) {
  if (withheld !== null) return <span title={withheld}><Sign of="pause" className="me-1" />{withheld}</span>;
  if (status === null) return null;
  const { shape, word, colour } = discoveryFace(status);
  return (
    <span title={foundAtMs === null ? word : `${word} ${moment(foundAtMs)}`}>
      <Sign of={shape} className={`me-1 ${colour}`} />{status === "success" && foundAtMs !== null ? `read ${ago(foundAtMs, now)}` : word}
    </span>
  );
}
