/** Opens a question from any page, and provides the palette actions for that. */
import type { Elicitation } from "../../ipc/bindings";
import type { Action } from "../../lib/actions";
import type { Hall } from "../../lib/hall/hall";
import type { Navigation } from "../../lib/navigation/navigation";
import type { OfferStore } from "../member/offers/offerStore";
import { sheetKey, type Workbench } from "../tool/workbench";
import { offerKey } from "../member/offers/offer";
import type { Questions } from "./questions";

const answerOne = (member: string, question: string) => `Answer ${member}: ${question}`;

/** The maximum number of questions in the palette. */
const LISTED_MAX = 10;
const MESSAGE_SHOWN = 80;

/** The stores that are needed to open a question. */
interface LeadStores {
  readonly bench: Workbench;
  readonly navigation: Navigation;
  readonly offers: OfferStore;
  readonly questions: Questions;
}

/**
 * Opens the question at the call that caused it, or on a separate page if the call was made outside this window.
 * The question takes the focus.
 */
export function leadTo({ bench, navigation, offers, questions }: LeadStores, { id, member, call }: Elicitation): void {
  questions.wanted.set(id);
  const reading = [...offers.sheets.get().values()].flatMap(({ readings }) => readings).find((one) => one.call === call);
  if (reading) {
    offers.show(offerKey(reading.member, reading.offer), reading.call);
    navigation.openOffer(reading.member, reading.offer);
    return;
  }
  const run = [...bench.sheets.get().values()].flatMap(({ runs }) => runs).find((one) => one.call === call);
  if (!run) {
    navigation.openQuestion(member, id);
    return;
  }
  bench.show(sheetKey(run.member, run.tool), run.call);
  navigation.openTool(run.member, run.tool);
}

/** The message of a question in one line, shortened. */
export function oneLine({ message }: Elicitation): string {
  const line = message.replace(/\s+/g, " ").trim();
  return line.length > MESSAGE_SHOWN ? `${line.slice(0, MESSAGE_SHOWN - 1)}…` : line;
}

/** The stores that the actions need. */
interface QuestionStores extends LeadStores {
  readonly hall: Hall;
}

/** The palette actions that open pending questions. */
export function questionActions({ bench, hall, navigation, offers, questions }: QuestionStores): Action[] {
  const open = [...hall.state.get().elicitations.values()];
  const [oldest] = open;
  return [
    {
      id: "answer-question",
      group: "Go to",
      title: oldest ? answerOne(oldest.member, oneLine(oldest)) : "Answer a server's question",
      unavailable: oldest ? undefined : "No open questions",
      run: () => oldest && leadTo({ bench, navigation, offers, questions }, oldest),
    },
    ...open.slice(1, LISTED_MAX).map((elicitation): Action => ({
      id: `answer-question ${elicitation.id}`,
      group: "Go to",
      title: answerOne(elicitation.member, oneLine(elicitation)),
      run: () => leadTo({ bench, navigation, offers, questions }, elicitation),
    })),
  ];
}
