/** The Resources, Prompts or Skills tab of a member: the status of the list, a search field, and the list. */
import { useEffect, useId, useMemo, useRef, useState, type KeyboardEvent } from "react";

import type { MemberOffers, MemberView, OfferProblem, ServerInfo } from "../../../ipc/bindings";
import { SearchField } from "../../../components/SearchField";
import { Button } from "../../../components/Button";
import { EmptyState } from "../../../components/EmptyState";
import { IconButton } from "../../../components/IconButton";
import { Sign } from "../../../components/Icon";
import { faceOf } from "../../../components/status";
import { ErrorReport } from "../../../components/ErrorReport";
import { useNavigation } from "../../../lib/navigation/navigation";
import type { OfferTab } from "../../../lib/navigation/places";
import { useNow } from "../../../lib/useNow";
import { counted, number } from "../../../lib/format";
import { ago } from "../../../lib/time";
import { type OfferLists, useOfferStore } from "./offerStore";
import { hasWords, listedIn, offerOf, problemsIn } from "./offer";
import { OfferList, type OfferListHandle } from "./OfferList";
import { hasCapability } from "./useOffers";

const SEARCH_IN = {
  resources: (count: number) => `Search ${number(count)} resources and templates`,
  prompts: (count: number) => `Search ${number(count)} prompts`,
  skills: (count: number) => `Search ${number(count)} skills`,
};

const LIST_OF = { resources: (member: string) => `Resources of ${member}`, prompts: (member: string) => `Prompts of ${member}`, skills: (member: string) => `Skills of ${member}` };

const ICONS = { resources: "file", prompts: "quote", skills: "library" } as const;

interface Props {
  readonly view: MemberView;
  readonly server: ServerInfo | null;
  readonly lists: OfferLists;
  readonly tab: OfferTab;
}

export function OffersTab({ view, server, lists, tab }: Props) {
  const store = useOfferStore();
  const navigation = useNavigation();
  const listId = useId();
  const { name } = view;
  const [began] = useState(() => store.look(name, tab));
  const [query, setQuery] = useState(began.words);
  const search = (next: string) => {
    setQuery(next);
    store.leave(name, tab, { words: next, cursor: 0 });
  };
  const handle = useRef<OfferListHandle>(null);
  const { offers, error, reading } = lists;
  const all = useMemo(() => (offers ? listedIn(offers, tab) : []), [offers, tab]);
  const found = useMemo(() => {
    const wanted = query.toLowerCase().split(/\s+/).filter(Boolean);
    return all.filter((listed) => hasWords(listed, wanted));
  }, [all, query]);
  const problems = offers ? problemsIn(offers, tab) : [];

  // When the user returns from an entry's page, the list takes the focus.
  useEffect(() => {
    if (document.activeElement === document.body) handle.current?.focus();
  }, []);

  const onSearchKey = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Escape" && query !== "") search("");
    else if (event.key === "ArrowDown") handle.current?.focus();
    else if (event.key === "Enter") handle.current?.open();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <div className="flex min-h-0 flex-1 flex-col gap-2">
      <Standing {...{ view, server, lists, tab }} />
      {error && !reading && (
        <ErrorReport report={error}>
          <Button className="mt-1" onClick={() => void store.read(view.name)}>Try again</Button>
        </ErrorReport>
      )}
      <Problems problems={problems} />
      {all.length > 0 && (
        <>
          <div className="flex items-center gap-2">
            <SearchField
              label={`Search the ${tab} of ${view.name}`}
              aria-controls={listId}
              placeholder={SEARCH_IN[tab](all.length)}
              value={query}
              onValue={search}
              onKeyDown={onSearchKey}
              className="w-full max-w-md"
            />
            {query !== "" && (
              <span role="status" className="text-sm whitespace-nowrap text-dim">
                {found.length === 0 ? "No matches" : counted(found.length, { one: "match", other: "matches" })}
              </span>
            )}
          </div>
          {found.length > 0 ? (
            <OfferList
              // The key remounts the list when the search changes, so that the first match is active.
              key={query}
              id={listId}
              from={query === began.words ? began.cursor : 0}
              onCursor={(cursor) => store.leave(name, tab, { words: query, cursor })}
              ref={handle}
              label={LIST_OF[tab](view.name)}
              listed={found}
              onOpen={(listed) => navigation.openOffer(view.name, offerOf(listed))}
            />
          ) : (
            <p data-testid="offers-none" id={listId} className="text-dim">No matches</p>
          )}
        </>
      )}
    </div>
  );
}

/** The status of the list, with a button that loads or refreshes it. */
function Standing({ view, server, lists, tab }: Props) {
  const store = useOfferStore();
  const { offers, reading, readAtMs, error } = lists;
  const now = useNow(10_000);
  const { name, status } = view;
  const unavailable = status === "disabled" ? "Disabled in plugin.json" : status === "unreviewed" ? "Needs review" : reading ? "Loading" : undefined;
  const load = () => void store.read(name);
  const statusWords = status === "stopped" ? `${name} is stopped` : `${name}: ${faceOf(status).word}`;
  if (reading) {
    return (
      <p data-testid="offers-reading" role="status" className="text-dim">
        <Sign of="dashes" className="text-warn me-1" />
        {status === "ready" ? `Loading the ${tab} of ${name}…` : `Starting ${name} to load its ${tab}…`}
      </p>
    );
  }
  if (offers) {
    const count = listedIn(offers, tab).length;
    return (
      <div className="flex flex-wrap items-center gap-2 text-dim">
        <p className="min-w-0 flex-1 basis-48 break-words">
          {count > 0 ? inWords(tab, offers) : none(name, tab, server)}
          {readAtMs !== null && <span className="text-faint">{` · updated ${ago(readAtMs, now)}`}</span>}
          {status !== "ready" && <span className="text-faint"> · {statusWords}</span>}
        </p>
        <IconButton icon="refresh" label={`Refresh the ${tab}`} unavailable={unavailable} onClick={load} />
      </div>
    );
  }
  if (error) return null;
  if (status === "disabled") return <p className="text-dim">{name} is disabled in plugin.json.</p>;
  if (status === "starting") return <p className="text-dim">{name} is starting. Its {tab} load when it's ready.</p>;
  const isUnsupported = hasCapability(server, tab) === false;
  const title = status !== "ready" ? statusWords : isUnsupported ? none(name, tab, server) : "Not loaded yet";
  const hint =
    status === "ready" ? undefined
    : status === "unreviewed" ? `Review ${name} before you load its ${tab}.`
    : isUnsupported ? `${none(name, tab, server)}.`
    : `Its ${tab} load when it starts.`;
  return (
    <div data-testid="offers-unknown">
      <EmptyState icon={ICONS[tab]} title={title} actions={<Button unavailable={unavailable} onClick={load}>{status !== "ready" ? "Start and load" : isUnsupported ? "Load anyway" : "Load"}</Button>}>
        {hint}
      </EmptyState>
    </div>
  );
}

function inWords(tab: OfferTab, { resources, templates, prompts, skills }: MemberOffers): string {
  if (tab === "skills") return counted(skills.length, { one: "skill", other: "skills" });
  if (tab === "prompts") return counted(prompts.length, { one: "prompt", other: "prompts" });
  return `${counted(resources.length, { one: "resource", other: "resources" })}, ${counted(templates.length, { one: "template", other: "templates" })}`;
}

function none(name: string, tab: OfferTab, server: ServerInfo | null): string {
  return hasCapability(server, tab) === false ? `The server of ${name} doesn't support ${tab}` : `${name} has no ${tab}`;
}

/** Maximum number of invalid entries shown. A server's list can have thousands. */
const PROBLEMS_SHOWN = 100;

function Problems({ problems }: { problems: readonly OfferProblem[] }) {
  if (problems.length === 0) return null;
  const failed = problems.filter(({ index }) => index === null);
  const entries = problems.filter(({ index }) => index !== null);
  return (
    <div className="rounded-md border border-warn bg-warn-fill px-3 py-1 select-text">
      {failed.map((problem, index) => (
        <p data-testid="offers-problem" key={index} className="break-words">
          <Sign of="warning" className="text-warn me-1" />
          The list of {problem.list} is incomplete: {problem.reason}
        </p>
      ))}
      {entries.length > 0 && (
        <details>
          <summary>
            <Sign of="warning" className="text-warn me-1" />
            {counted(entries.length, { one: "entry", other: "entries" })} of the list can't be used
          </summary>
          <ul className="max-h-40 overflow-y-auto">
            {entries.slice(0, PROBLEMS_SHOWN).map((problem) => (
              <li data-testid="offers-left-out" key={`${problem.list} ${problem.index}`} className="break-words">
                <span className="text-dim">{problem.list} #{problem.index}</span> {problem.name ?? "(no name)"}: {problem.reason}
              </li>
            ))}
            {entries.length > PROBLEMS_SHOWN && <li className="text-dim">and {number(entries.length - PROBLEMS_SHOWN)} more</li>}
          </ul>
        </details>
      )}
    </div>
  );
}
