/**
 * A list item for one found server: its name, command and state. Its expandable details contain the files, the
 * environment, notes, and the fields of the future member.
 */
import { memo, useId, useState, type KeyboardEvent } from "react";

import type { FoundServer, MemberName } from "../../../ipc/bindings";
import { Badge } from "../../../components/Badge";
import { Button } from "../../../components/Button";
import { exact } from "../../../lib/exact";
import { Sign } from "../../../components/Icon";
import { IconButton } from "../../../components/IconButton";
import { Reported } from "../../../components/Reported";
import { number } from "../../../lib/format";
import { useNavigation } from "../../../lib/navigation/navigation";
import { useImportSource } from "./importSource";
import type { SelectionState, Choice } from "./selection";
import { ImportFields } from "./ImportFields";
import { Differences } from "./Differences";
import { programsOf, scopeWords, stateBadge } from "./faces";
import { Launch } from "./Launch";

const line = (at: number) => `line ${number(at)}`;

interface Props {
  readonly server: FoundServer;
  /** All found servers, which are needed to compare servers of the same name. */
  readonly all: readonly FoundServer[];
  /** The import settings of the server; `null` if the server isn't selected. */
  readonly choice: Choice | null;
  /** The validation error of the member name. */
  readonly wrong: string | null;
  readonly missing: SelectionState["missing"];
  readonly busy: boolean;
  /** Whether the details are expanded at first. */
  readonly startsOpen?: boolean;
}

export const ServerRow = memo(function ServerRow({ server, all, choice, wrong, missing, busy, startsOpen = false }: Props) {
  const { selection } = useImportSource();
  const id = useId();
  const [toggled, setToggled] = useState<boolean | null>(null);
  const { name, state, places, commandLine, inputs, disabled } = server;
  // The details of a selected server are expanded if they contain more than the command, so that users see everything
  // that the server would run.
  const isOpen = toggled ?? (startsOpen || (choice !== null && hasMore(server)));
  const { tone, text } = stateBadge(server, all);
  const others = programsOf(places.slice(1).filter(({ title }) => title !== places[0]?.title));
  return (
    <li
      data-testid="found-server"
      data-state={state.kind}
      // The browser skips rendering of rows outside the screen, but screen readers can still reach them.
      className="border-t border-line [contain-intrinsic-size:auto_48px] [content-visibility:auto] first:border-t-0"
    >
      <div className="flex min-h-12 flex-wrap items-center gap-x-2.5 gap-y-1 py-1.5 ps-3 pe-2">
        {state.kind === "new" ? (
          <input
            id={`${id}-box`}
            type="checkbox"
            data-tick
            aria-label={`Import ${name} from ${programsOf(places)}`}
            aria-describedby={`${id}-runs`}
            checked={choice !== null}
            disabled={busy}
            onKeyDown={toNextTick}
            onChange={(event) => (event.target.checked ? selection.select([server]) : selection.deselect([server.id]))}
          />
        ) : (
          <span aria-hidden className="size-3.5 shrink-0 rounded-[3px] border border-line" />
        )}
        <div className="min-w-0 flex-1 basis-40">
          <label htmlFor={`${id}-box`} className="block font-medium wrap-anywhere">
            {exact(name)}
            {others !== "" && <span className="ps-2 text-sm font-normal text-dim">also in {others}</span>}
            {disabled && <span className="ps-2 text-sm font-normal text-dim">off in that app</span>}
          </label>
          {!isOpen && (
            <code id={`${id}-runs`} className={`block font-mono text-sm text-dim ${choice === null ? "truncate" : "whitespace-pre-wrap wrap-anywhere"}`}>{exact(commandLine)}</code>
          )}
        </div>
        <Badge tone={tone}>{text}</Badge>
        <IconButton
          icon={isOpen ? "chevronDown" : "chevronRight"}
          label={`Details of ${name}`}
          title={isOpen ? "Hide details" : "Show details"}
          aria-expanded={isOpen}
          onClick={() => setToggled(!isOpen)}
        />
      </div>
      {(isOpen || choice) && (
        <div className="flex flex-col gap-2 px-3 pb-3 ps-9 empty:hidden">
          {isOpen && <Details id={`${id}-runs`} server={server} all={all} keepCommand={choice?.keepCommand ?? false} />}
          {choice && (isOpen || inputs.length > 0 || wrong !== null) && <ImportFields server={server} choice={choice} wrong={wrong} missing={missing} busy={busy} />}
        </div>
      )}
    </li>
  );
});

/**
 * Whether the details contain something that the row does not show, such as environment variables, notes or
 * differences.
 */
function hasMore({ launch, container, inputs, notes, autoApprove, differs }: FoundServer): boolean {
  const values = launch === null ? [] : launch.kind === "url" ? launch.headers : launch.env;
  const folder = launch?.kind === "command" && launch.cwd !== null;
  return folder || container != null || [values, inputs, notes, autoApprove, differs].some((list) => list.length > 0);
}

function Details({ id, server, all, keepCommand }: { readonly id: string; readonly server: FoundServer; readonly all: readonly FoundServer[]; readonly keepCommand: boolean }) {
  const { name, state, places, disabled, differs } = server;
  return (
    <>
      {state.kind === "unusable" && (
        <p data-code={state.report.code} className="break-words select-text">
          <Reported report={state.report} />
        </p>
      )}
      <Launch id={id} server={server} keepCommand={keepCommand} />
      <ul aria-label={`Files that have ${name}`} className="text-sm text-dim">
        {places.map((place) => (
          <li key={`${place.path} ${place.line} ${place.name} ${place.folder ?? ""}`} className="wrap-anywhere select-text">
            {place.path === "" ? (
              <>{place.title}, {line(place.line)}</>
            ) : (
              <>{place.title}: <code className="font-mono">{exact(place.path)}</code>, {line(place.line)}, {scopeWords(place)}</>
            )}
            {place.name !== name && `, as ${exact(place.name)}`}
            {place.disabled && !disabled && ", off there"}
          </li>
        ))}
      </ul>
      {server.autoApprove.length > 0 && (
        <p data-testid="server-approved" className="text-sm wrap-anywhere text-dim">Allowed there without asking: {server.autoApprove.map(exact).join(", ")}</p>
      )}
      {server.notes.map((note) => (
        <p data-testid="server-left-out" key={note} className="text-sm wrap-anywhere"><Sign of="warning" className="me-1 text-warn" />{exact(note)}</p>
      ))}
      {differs.length > 0 && <Differences server={server} all={all} />}
      {state.kind === "adopted" && <div><OpenMember member={state.member} /></div>}
    </>
  );
}

export function OpenMember({ member }: { member: MemberName }) {
  const navigation = useNavigation();
  return (
    <Button className="h-auto min-h-7 max-w-full wrap-anywhere whitespace-normal" onClick={() => navigation.openMember(member)}>
      Open {member}
    </Button>
  );
}

/** Handles the arrow keys, Home and End on a checkbox: moves the focus to the checkbox of another server. */
function toNextTick(event: KeyboardEvent<HTMLInputElement>): void {
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  const ticks = [...(event.currentTarget.closest("[data-found]")?.querySelectorAll<HTMLElement>("[data-tick]") ?? [])];
  const at = ticks.indexOf(event.currentTarget);
  const to: Partial<Record<string, number>> = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: ticks.length - 1 };
  const next = to[event.key];
  if (next === undefined) return;
  event.preventDefault();
  ticks[Math.min(ticks.length - 1, Math.max(0, next))]?.focus();
}
