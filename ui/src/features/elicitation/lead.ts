/** Opens questions from anywhere. */
import type { Action } from "../../app/actions";
import type { House } from "../../app/house";
import type { Elicitation } from "../../ipc/bindings";
import { sheetKey } from "../tool/workbench";
import { offerKey } from "../member/offers/offer";

const answerOne = (member: string, question: string) => `Answer ${member}: ${question}`;

/** Maximum number of questions in the palette. */
const LISTED_MAX = 10;
const MESSAGE_SHOWN = 80;

/** Shows a question where it belongs: at its call, or on a separate page. It takes the focus. */
export function leadTo(house: House, { id, member, call }: Elicitation): void {
  house.questions.wanted.set(id);
  const reading = [...house.offers.sheets.get().values()].flatMap(({ readings }) => readings).find((one) => one.call === call);
  if (reading) {
    house.offers.show(offerKey(reading.member, reading.offer), reading.call);
    house.openOffer(reading.member, reading.offer);
    return;
  }
  const run = [...house.bench.sheets.get().values()].flatMap(({ runs }) => runs).find((one) => one.call === call);
  if (!run) {
    house.openQuestion(member, id);
    return;
  }
  house.bench.show(sheetKey(run.member, run.tool), run.call);
  house.openTool(run.member, run.tool);
}

/** A question in one line. */
export function oneLine({ message }: Elicitation): string {
  const line = message.replace(/\s+/g, " ").trim();
  return line.length > MESSAGE_SHOWN ? `${line.slice(0, MESSAGE_SHOWN - 1)}…` : line;
}

/** The actions of open questions. */
export function questionActions(house: House): Action[] {
  const open = [...house.hall.state.get().elicitations.values()];
  const [oldest] = open;
  return [
    {
      id: "answer-question",
      group: "Go to",
      title: oldest ? answerOne(oldest.member, oneLine(oldest)) : "Answer a server's question",
      unavailable: oldest ? undefined : "No open questions",
      run: () => oldest && leadTo(house, oldest),
    },
    ...open.slice(1, LISTED_MAX).map((elicitation): Action => ({
      id: `answer-question ${elicitation.id}`,
      group: "Go to",
      title: answerOne(elicitation.member, oneLine(elicitation)),
      run: () => leadTo(house, elicitation),
    })),
  ];
}
