/** The table of all tools with their hints, their permissions and the sources of the permissions. */
import { useMemo } from "react";

import { useHall, type Hall } from "../../../lib/hall/hall";
import { PART_KEYS } from "../../../lib/keys/actionKeys";
import type { MemberName, Policy, ProfileName, ReadOnlyClaim, Report, ToolHints, ToolName } from "../../../ipc/bindings";
import { useNavigation } from "../../../lib/navigation/navigation";
import { useSpoken, type Spoken } from "../../../lib/spoken";
import { useStore } from "../../../lib/store";
import { anchorOfCode } from "../../../lib/navigation/anchors";
import { ErrorCode } from "../../../components/ErrorCode";
import { Badge } from "../../../components/Badge";
import { Sign } from "../../../components/Icon";
import { Tooltip } from "../../../components/Tooltip";
import { useNow } from "../../../lib/useNow";
import { keyLabel } from "../../../lib/keys/keyLabel";
import { ago } from "../../../lib/time";
import { whyNot } from "../../member/verbs";
import { RowGrid, type Column } from "../RowGrid";
import { useAgents, type Agents } from "../agents";
import { isGoverned, isOffer, keyOfRow, type CatalogRow, type GovernedRow } from "./catalogRows";
import { PolicyChoice } from "./PolicyChoice";
import { DISCOVERY_FACES, reasonWords } from "./policyWords";

const CLAIM_WHY = {
  doubted: "The server labels it read-only, but its name or description suggests a change. It counts as a tool that changes data until you confirm the label.",
  confirmed: "You confirmed the server's read-only label. Press to undo.",
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
  const navigation = useNavigation();
  const agents = useAgents();
  const hall = useHall();
  const spoken = useSpoken();
  const now = useNow(60_000);
  const columns = useMemo(
    (): Column<CatalogRow>[] => [
      { title: "Tool", look: "min-w-0 flex-1", cell: (row) => <ToolCell row={row} /> },
      { title: "Member", look: "w-18 shrink-0 text-sm text-dim @3xl:w-28 @max-xl:w-24", cell: ({ member }) => <bdi>{member ?? "Guild Hall"}</bdi>, rest: reasonOf },
      { title: "Hints", look: "w-24 shrink-0 @3xl:w-28 @max-2xl:hidden", cell: ({ hints }) => <HintBadge hints={hints} /> },
      {
        title: "Permission",
        look: "w-49 shrink-0",
        cell: (row) =>
          isGoverned(row) && (
            <PolicyChoice governed={{ ...row, policy: row.ruling.policy, policyReason: row.ruling.reason }} profile={profile} onPolicy={(policy) => onPolicy(row, policy)} />
          ),
      },
      { title: "Source", look: "w-24 shrink-0 text-sm text-dim @3xl:w-32 @max-2xl:hidden", cell: (row) => <SourceCell row={row} profile={profile} now={now} /> },
    ],
    [profile, onPolicy, now],
  );
  const open = (row: CatalogRow) => {
    const { member, tool } = row;
    if (member !== null && tool !== null && !isOffer(row)) navigation.openTool(member, tool);
    else if (member !== null) navigation.openMember(member);
  };
  return (
    // The grid does not pass keys with Ctrl to `onKey`, so this element handles the shortcut for Undo.
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
        label="Permissions of all tools"
        testId="policy-table"
        keptIn={agents.policies.row}
        rows={rows}
        keyOf={keyOfRow}
        columns={columns}
        keys={`Enter opens the tool. Space selects a row, Shift with the arrows selects several, ${keyLabel(PART_KEYS.chooseAll)} all, Escape none. A allows, S asks first, D denies, M resets to inherited, for the row or all selected rows. ${keyLabel(PART_KEYS.undo)} undoes the last change. R refreshes the tools of the member, E explains its error. C confirms a read-only label.`}
        choosing={{ chosen, onChosen, can: isGoverned }}
        onKey={(row, key) => {
          if (key === "Enter") open(row);
          else if (key.toLowerCase() === "r" && row.member !== null) void hall.tend("refresh_member", row.member);
          else if (key.toLowerCase() === "c" && row.member !== null && row.tool !== null && row.claim !== null) confirmClaim({ agents, hall, spoken }, row.member, row.tool, row.claim);
          else if (key.toLowerCase() === "e" && !isGoverned(row) && row.failed) navigation.openHelp(anchorOfCode(row.failed.code));
          else return onKey(row, key);
          return true;
        }}
      />
    </div>
  );
}

/** The error of a member whose tools could not be read, for a cell that spans the other columns. */
function reasonOf(row: CatalogRow) {
  return !isGoverned(row) && row.failed ? <Failed report={row.failed} /> : null;
}

function ToolCell({ row }: { row: CatalogRow }) {
  const agents = useAgents();
  const hall = useHall();
  const spoken = useSpoken();
  const { member, tool, title, withheld, claim } = row;
  if (tool === null) return <Unknown row={row} />;
  return (
    <span className="flex flex-col leading-4">
      <span className="truncate">
        <bdi className="font-medium">{title ?? tool}</bdi>
        {isOffer(row) && <span className="text-sm text-dim"> {row.kind}</span>}
        {member !== null && claim !== null && (
          <Tooltip text={CLAIM_WHY[claim]}>
            <button
              type="button"
              // oxlint-disable-next-line jsx-a11y/role-supports-aria-props -- part of ARIA 1.3, and read by all three engines
              aria-description={CLAIM_WHY[claim]}
              // Keyboard users press C instead, because the grid is the only Tab stop.
              tabIndex={-1}
              className="ms-1.5 shrink-0 rounded-sm border border-control bg-raised px-1.5 text-sm hover:bg-hover"
              onClick={(event) => {
                event.stopPropagation();
                confirmClaim({ agents, hall, spoken }, member, tool, claim);
              }}
            >
              <Sign of={claim === "doubted" ? "warning" : "dot"} className="me-1" />{claim === "doubted" ? "Confirm read-only (C)" : "Read-only confirmed"}
            </button>
          </Tooltip>
        )}
        {withheld !== null && <span className="text-sm text-dim @2xl:hidden"> <Sign of="pause" className="me-1" />{withheld}</span>}
      </span>
      {title !== null && <bdi className="max-w-full self-start truncate text-sm text-dim">{tool}</bdi>}
    </span>
  );
}

/** The stores that `confirmClaim` uses. */
interface ClaimStores {
  readonly agents: Agents;
  readonly hall: Hall;
  readonly spoken: Spoken;
}

/** Confirms the server's read-only label of a tool, or withdraws an earlier confirmation. */
function confirmClaim({ agents, hall, spoken }: ClaimStores, member: MemberName, tool: ToolName, claim: ReadOnlyClaim): void {
  const confirmed = claim === "doubted";
  void agents.change("confirm_read_only", { member, tool, confirmed }).then((refused) => {
    if (refused) hall.tell(refused);
    else spoken.set(confirmed ? `${tool} counts as read-only` : `${tool} no longer counts as read-only`);
  });
}

/** The error of a member's tool discovery in one line, with the error code at the end. */
function Failed({ report }: { report: Report }) {
  return (
    <span data-code={report.code} className="flex items-baseline gap-1.5 text-sm text-dim">
      <Tooltip text={`${report.message} ${report.hint}`}><span className="min-w-0 truncate">{report.message}</span></Tooltip>
      <ErrorCode code={report.code} className="max-w-2/3 shrink-0 truncate" rowKey="E" />
    </span>
  );
}

/** The first cell of a member without current tools: the discovery status and a button that loads the tools. */
function Unknown({ row: { member, status } }: { row: CatalogRow }) {
  const hall = useHall();
  const view = useStore(hall.state, ({ byName }) => (member === null ? undefined : byName.get(member)));
  const pending = useStore(hall.pending, (now) => now);
  if (member === null || status === null) return null;
  const { shape, colour, word } = DISCOVERY_FACES[status];
  const unavailable = view ? whyNot("refresh", view, pending) : "The member was removed";
  return (
    <span className="inline-flex max-w-full items-center gap-2">
      <span className="min-w-0 truncate">
        <Sign of={shape} className={`me-1 ${colour}`} />{word}
      </span>
      {status !== "discovering" && (
        <Tooltip text={unavailable ?? "Refresh tools (R)"}>
          <button
            type="button"
            // oxlint-disable-next-line jsx-a11y/role-supports-aria-props -- part of ARIA 1.3, and read by all three engines
            aria-description={unavailable}
            tabIndex={-1}
            aria-disabled={unavailable !== undefined}
            className="shrink-0 rounded-sm border border-control bg-raised px-1.5 text-sm hover:bg-hover aria-disabled:opacity-50"
            onClick={(event) => {
              event.stopPropagation();
              if (unavailable === undefined) void hall.tend("refresh_member", member);
            }}
          >
            {status === "never" ? "Load" : "Retry"}
          </button>
        </Tooltip>
      )}
    </span>
  );
}

/** The source of a permission, or the reason why agents don't get the tool. */
function SourceCell({ row: { ruling, withheld, foundAtMs }, profile, now }: { row: CatalogRow; profile: ProfileName | null; now: number }) {
  if (withheld === null && ruling === null) return null;
  return (
    <Tooltip text={withheld ?? (foundAtMs === null ? "" : `Refreshed ${ago(foundAtMs, now)}`)}>
      <span>{withheld === null ? ruling && reasonWords(ruling.reason, profile) : <><Sign of="pause" className="me-1" />Hidden<span className="sr-only">: {withheld}</span></>}</span>
    </Tooltip>
  );
}

function HintBadge({ hints: { readOnly, destructive, openWorld } }: { hints: ToolHints }) {
  if (destructive === true && readOnly !== true) return <Badge tone="bad" icon="warning">Destructive</Badge>;
  if (openWorld === true) return <Badge tone={readOnly === true ? "ok" : "plain"} icon="globe">{readOnly === true ? "Read-only" : "External"}</Badge>;
  return readOnly === true && <Badge tone="ok" icon="eye">Read-only</Badge>;
}
