/** One found server: its file, its whole command, and the values that its member needs. */
import { memo, useId, useState, type KeyboardEvent } from "react";

import { useHouse } from "../app/house";
import type { FoundServer, MemberName } from "../bridge/bindings";
import { Button } from "../parts/Button";
import { Sign } from "../parts/Icon";
import { Reported } from "../parts/Reported";
import { useAdopting } from "./adopting";
import type { AdoptionState, Choice } from "./adoption";
import { AdoptFields } from "./AdoptFields";
import { Differences } from "./Differences";
import { Launch } from "./Launch";
import { exact } from "../parts/exact";
import { number, plural } from "../words/format";
import { foundFace, programsOf, scopeWords } from "./faces";

const line = (at: number) => `line ${number(at)}`;

interface Props {
  readonly server: FoundServer;
  /** All servers, to be compared with. */
  readonly all: readonly FoundServer[];
  /** What the member is to be; `null` where it is not ticked. */
  readonly choice: Choice | null;
  /** What is wrong with its name. */
  readonly wrong: string | null;
  readonly missing: AdoptionState["missing"];
  readonly busy: boolean;
}

export const ServerRow = memo(function ServerRow({ server, all, choice, wrong, missing, busy }: Props) {
  const { adoption } = useAdopting();
  const id = useId();
  const [comparing, setComparing] = useState(false);
  const { name, state, places, differs, disabled } = server;
  const face = foundFace(state.kind);
  const title = <span className="font-semibold wrap-anywhere">{exact(name)}</span>;
  return (
    <li
      data-testid="found-server"
      data-state={state.kind}
      // Rows off the screen are not rendered, but screen readers can still reach them.
      className="flex flex-col gap-1 rounded-sm border border-line px-2 py-1 [contain-intrinsic-size:auto_96px] [content-visibility:auto]"
    >
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        {state.kind === "new" ? (
          <label className="inline-flex max-w-full min-w-0 items-baseline gap-2">
            <input
              type="checkbox"
              data-tick
              aria-label={`Import ${name} from ${programsOf(places)}`}
              aria-describedby={`${id}-runs`}
              checked={choice !== null}
              disabled={busy}
              onKeyDown={toNextTick}
              onChange={(event) => (event.target.checked ? adoption.tick([server]) : adoption.untick([server.id]))}
            />
            {title}
          </label>
        ) : (
          title
        )}
        <span>
          <Sign of={face.shape} className={`me-1 ${face.colour}`} />{face.word}
        </span>
        {disabled && <span className="text-dim"><Sign of="pause" className="me-1" />switched off there</span>}
        <span className="min-w-0 wrap-anywhere text-dim">in {programsOf(places)}</span>
        <span className="ms-auto flex flex-wrap gap-2 empty:hidden">
          {differs.length > 0 && (
            <Button aria-expanded={comparing} aria-label={`Compare ${name} with ${plural(differs.length, { one: "another one", other: `${number(differs.length)} others` })} of this name`} onClick={() => setComparing(!comparing)}>
              ≠ Differs from {plural(differs.length, { one: "another one", other: `${number(differs.length)} others` })}
            </Button>
          )}
          {state.kind === "adopted" && <OpenMember member={state.member} />}
        </span>
      </div>
      {state.kind === "unusable" && (
        <p data-code={state.report.code} className="break-words select-text">
          <Reported report={state.report} />
        </p>
      )}
      <Launch id={`${id}-runs`} server={server} keepCommand={choice?.keepCommand ?? false} />
      <ul aria-label={`Files that have ${name}`} className="text-sm text-dim">
        {places.map((place) => (
          <li key={`${place.path} ${place.line} ${place.name} ${place.folder ?? ""}`} className="wrap-anywhere select-text">
            {place.path === "" ? (
              <>{place.title}, {line(place.line)}</>
            ) : (
              <>{place.title}: <code className="font-mono">{exact(place.path)}</code>, {line(place.line)}, {scopeWords(place)}</>
            )}
            {place.name !== name && `, as ${exact(place.name)}`}
            {place.disabled && !disabled && ", switched off there"}
          </li>
        ))}
      </ul>
      {server.autoApprove.length > 0 && (
        <p data-testid="server-approved" className="text-sm wrap-anywhere text-dim">Called there without a question: {server.autoApprove.map(exact).join(", ")}</p>
      )}
      {server.notes.map((note) => (
        <p data-testid="server-left-out" key={note} className="text-sm wrap-anywhere"><Sign of="warning" className="text-warn me-1" />{exact(note)}</p>
      ))}
      {comparing && <Differences server={server} all={all} />}
      {choice && <AdoptFields server={server} choice={choice} wrong={wrong} missing={missing} busy={busy} />}
    </li>
  );
});

export function OpenMember({ member }: { member: MemberName }) {
  const house = useHouse();
  return (
    <Button className="h-auto min-h-6 max-w-full wrap-anywhere whitespace-normal" onClick={() => house.openMember(member)}>
      Open {member}
    </Button>
  );
}

/** The arrows lead from one box to the next, past everything between them. */
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
