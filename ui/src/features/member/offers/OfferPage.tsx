/** The page of one resource, template, prompt or skill: its description and form beside the responses to requests. */
import { useCallback, useEffect, useRef } from "react";

import type { CallId, MemberName, MemberView } from "../../../ipc/bindings";
import { useHall } from "../../../lib/hall/hall";
import { useNavigation } from "../../../lib/navigation/navigation";
import type { Offer } from "../../../lib/navigation/places";
import { CallQuestions } from "../../elicitation/CallQuestions";
import { useStore } from "../../../lib/store";
import { Button } from "../../../components/Button";
import { Badge } from "../../../components/Badge";
import { Icon, Sign } from "../../../components/Icon";
import { SplitPane } from "../../../components/SplitPane";
import { StatusMark } from "../../../components/StatusMark";
import { Tooltip } from "../../../components/Tooltip";
import { SIGNS, type SignName } from "../../../components/signs";
import { useNow } from "../../../lib/useNow";
import { SaveContext } from "../../results/SaveButton";
import { beforeAsking } from "../../../lib/words/doing";
import { duration, wholeDuration } from "../../../lib/time";
import { AnswerPane } from "./AnswerPane";
import { type OfferRequest, type OfferSheet, type Reading, shownReading, useOfferStore } from "./offerStore";
import { findListed, type Listed, nameOf, offerKey, ownName, tabOf } from "./offer";
import { PromptForm } from "./PromptForm";
import { ResourceForm } from "./ResourceForm";
import { SkillForm } from "./SkillForm";
import { TemplateForm } from "./TemplateForm";
import { offerFace } from "./faces";
import { readResource } from "./readResource";

/** The notes that are shown above the form while the member is not ready, by the reason. */
const BEFORE = {
  waits: (member: string) => `${member} is starting. Your request runs when it's ready.`,
  isDisabled: (member: string) => `${member} is disabled in plugin.json.`,
  isUnreviewed: (member: string) => `Review ${member} before reading from it.`,
  startsFirst: (state: string) => `${state}. Reading starts it.`,
};

const TABS = { resources: "Resources", prompts: "Prompts", skills: "Skills" };

interface Props {
  readonly member: MemberName;
  readonly offer: Offer;
}

export default function OfferPage({ member, offer }: Props) {
  const hall = useHall();
  const view = useStore(hall.state, (state) => state.byName.get(member));
  if (!view) return <div aria-busy className="flex-1" />;
  return <Known view={view} offer={offer} />;
}

function Known({ view, offer }: { view: MemberView; offer: Offer }) {
  const hall = useHall();
  const store = useOfferStore();
  const navigation = useNavigation();
  const { name: member } = view;
  const key = offerKey(member, offer);
  const lists = useStore(store.lists, () => store.list(member));
  const sheet = useStore(store.sheets, () => store.sheet(key));
  const listed = findListed(lists.offers, offer);
  const reading = shownReading(sheet);
  const note = beforeAsking(view, BEFORE);
  const waiting = reading && !reading.answered && view.status === "starting";

  const ask = useCallback((asked: OfferRequest) => void store.ask(member, offer, asked), [store, member, offer]);
  const form = { view, sheet, sheetKey: key, onAsk: ask };
  return (
    <article className="flex min-h-0 flex-1 flex-col short:overflow-y-auto" aria-label={`${member} ${ownName(offer)}`}>
      <Head view={view} offer={offer} listed={listed} />
      <SplitPane name="offer-share" label="Width of the details" share={45} isPart>
        <div className="flex min-h-0 min-w-0 flex-col border-line wide:w-(--share) wide:shrink-0 max-wide:shrink-0 max-wide:border-b">
          {note !== null && <p data-testid="offer-note" className="shrink-0 border-b border-line px-5 py-1.5 text-sm break-words text-dim">{note}</p>}
          {!listed && lists.offers && (
            <p data-testid="offer-unlisted" className="shrink-0 border-b border-line px-5 py-1.5 text-sm break-words text-dim">
              Not in the list of {member}. You can still request it.
            </p>
          )}
          {offer.kind === "resource" && <ResourceForm key={key} {...form} uri={offer.uri} listed={listed} />}
          {offer.kind === "template" && <TemplateForm key={key} {...form} uriTemplate={offer.uriTemplate} listed={listed} />}
          {offer.kind === "prompt" && <PromptForm key={key} {...form} prompt={offer.prompt} listed={listed} />}
          {offer.kind === "skill" && <SkillForm key={key} {...form} uri={offer.uri} listed={listed} />}
        </div>
        <SaveContext value={hall.saveFile ?? null}>
          <div data-testid="answer" className="flex min-h-0 min-w-0 flex-col wide:flex-1 max-wide:min-h-72 max-wide:shrink-0">
            <h2 className="sr-only">Answers</h2>
            <Readings sheet={sheet} shown={reading?.call ?? null} onShow={(call) => store.show(key, call)} />
            {waiting && (
              <p className="shrink-0 border-b border-line px-5 py-1.5 text-sm text-dim">
                <Sign of="dashes" className="text-warn me-1" />
                {view.lastStderr === null ? `Starting ${member}…` : `Starting ${member}: `}
                <span className="font-mono break-all">{view.lastStderr}</span>
              </p>
            )}
            {reading && <CallQuestions asker={{ ...reading, outcome: reading.answered }} />}
            <AnswerPane
              reading={reading}
              empty={offer.kind === "prompt" ? "Get the prompt to see its messages" : offer.kind === "skill" ? "Read SKILL.md to see the skill" : "Read the resource to see its contents"}
              onCancel={() => reading && void hall.cancel(reading.call)}
              onRestart={() => void hall.tend("restart_member", member)}
              onRetry={(timeoutMs) => reading && void store.ask(member, offer, reading.asked, timeoutMs)}
              onReadResource={(uri) => readResource({ navigation, offers: store }, member, uri)}
            />
          </div>
        </SaveContext>
      </SplitPane>
    </article>
  );
}

function Head({ view, offer, listed }: { view: MemberView; offer: Offer; listed: Listed | undefined }) {
  const navigation = useNavigation();
  const { shape, word } = offerFace(offer.kind);
  const title = useRef<HTMLHeadingElement>(null);
  // If the focus was lost with the list that this page replaced, the title takes the focus.
  useEffect(() => {
    if (document.activeElement === document.body) title.current?.focus();
  }, []);
  const crumb = "max-w-full truncate rounded-sm text-dim hover:text-text hover:underline";
  const description = listed?.view.description ?? null;
  return (
    <header className="flex shrink-0 flex-col gap-1 border-b border-line px-5 py-3">
      <div className="flex flex-wrap items-center gap-x-1.5">
        <button type="button" className={crumb} onClick={() => navigation.openMember(view.name)}>{view.name}</button>
        <Icon of={SIGNS.chevronRight} size={14} className="text-faint rtl:-scale-x-100" />
        <button type="button" className={crumb} onClick={() => navigation.openOffers(view.name, tabOf(offer))}>{TABS[tabOf(offer)]}</button>
        {view.status !== "ready" && <span className="ms-1 text-sm text-dim"><StatusMark status={view.status} /></span>}
      </div>
      <div className="flex flex-wrap items-center gap-2">
        <h1 ref={title} tabIndex={-1} className="line-clamp-3 min-w-0 text-lg font-semibold outline-none [overflow-wrap:anywhere]" dir="auto">
          {listed ? nameOf(listed) : ownName(offer)}
        </h1>
        <Badge icon={shape}>{word}</Badge>
      </div>
      {description !== null && description !== "" && (
        // The Tab stop lets keyboard users scroll the description.
        <div
          role="region"
          aria-label="Description"
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
          tabIndex={0}
          dir="auto"
          className="max-h-24 max-w-prose overflow-y-auto whitespace-pre-wrap text-dim select-text [overflow-wrap:anywhere]"
        >
          {description}
        </div>
      )}
    </header>
  );
}

function faceOf({ answered }: Reading): { shape: SignName; colour: string; word: string } {
  if (!answered) return { shape: "dashes", colour: "text-warn", word: "Running" };
  return answered.end.kind === "failed"
    ? { shape: "cross", colour: "text-bad", word: "Failed" }
    : { shape: "done", colour: "text-ok", word: "Done" };
}

/** The last requests and their outcomes. The list is hidden if it has fewer than two entries. */
function Readings({ sheet, shown, onShow }: { sheet: OfferSheet; shown: CallId | null; onShow: (call: CallId) => void }) {
  const hall = useHall();
  const now = useNow(1_000, sheet.readings.some(({ answered }) => !answered));
  if (sheet.readings.length < 2) return null;
  return (
    <ol aria-label="Last answers" className="flex shrink-0 gap-1 overflow-x-auto border-b border-line px-5 py-1.5">
      {[...sheet.readings].reverse().map((reading) => {
        const { shape, colour, word } = faceOf(reading);
        const took = reading.answered ? duration(reading.answered.durationMs) : wholeDuration(now - reading.startedAtMs);
        return (
          <li key={reading.call} className="flex shrink-0 items-center">
            <Tooltip text={wordsOf(reading.asked)}>
              <button
                type="button"
                aria-current={reading.call === shown}
                className="rounded-sm px-2 text-sm whitespace-nowrap text-dim hover:bg-hover aria-[current=true]:bg-selected aria-[current=true]:text-text"
                onClick={() => onShow(reading.call)}
              >
                #{reading.number} <Sign of={shape} className={`me-1 ${colour}`} />{word} {took}
              </button>
            </Tooltip>
            {!reading.answered && (
              <Button look="quiet" className="h-5 px-1" aria-label={`Cancel reading ${reading.number}`} onClick={() => void hall.cancel(reading.call)}>
                <Sign of="close" />
              </Button>
            )}
          </li>
        );
      })}
    </ol>
  );
}

function wordsOf(asked: OfferRequest): string {
  if (asked.kind === "resource") return asked.uri;
  return Object.entries(asked.arguments).map(([name, value]) => `${name}: ${value}`).join("\n");
}
