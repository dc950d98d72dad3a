/** Tells of a server's question wherever a person is, and leads there. It never takes the focus. */
import { useEffect, useState } from "react";

import { useHouse } from "../app/house";
import type { Elicitation, ElicitationId } from "../bridge/bindings";
import { useStore } from "../hall/store";
import { Button } from "../parts/Button";
import { counted } from "../words/count";
import { keyLabel } from "../words/keys";
import { leadTo, oneLine } from "./lead";
import { TimeLeft } from "./TimeLeft";

/** A line above the status bar, for the oldest question that is not on the screen and not put off. */
export function QuestionBar() {
  const house = useHouse();
  const { hall, questions } = house;
  const open = useStore(hall.state, (state) => state.elicitations);
  const shown = useStore(questions.shown, (ids) => ids);
  const later = useStore(questions.later, (ids) => ids);
  const waiting = [...open.values()].filter(({ id }) => !shown.has(id) && !later.has(id));
  const [next] = waiting;
  return (
    <>
      <Alert open={open} />
      {next && (
        <section aria-label="A server asks" className="flex h-9 shrink-0 items-center gap-2 border-t border-accent bg-selected px-3">
          <p className="flex min-w-0 flex-1 gap-1">
            <span aria-hidden className="text-accent">?</span>
            <span className="max-w-[40%] shrink-0 truncate font-medium">{next.member} asks:</span>
            <bdi className="min-w-0 truncate">{oneLine(next)}</bdi>
          </p>
          {waiting.length > 1 && <span className="text-sm whitespace-nowrap text-dim">and {waiting.length - 1} more</span>}
          <TimeLeft untilMs={next.expiresAtMs} />
          <Button look="accent" title={keyLabel("Ctrl+Shift+A")} onClick={() => leadTo(house, next)}>
            Answer
          </Button>
          <Button look="quiet" title="Put this notice away; the status bar keeps the question" onClick={() => questions.putOff(next.id)}>
            Later
          </Button>
        </section>
      )}
    </>
  );
}

/** Says each new question aloud, once. */
function Alert({ open }: { open: ReadonlyMap<ElicitationId, Elicitation> }) {
  const [said, setSaid] = useState<{ open: typeof open; words: string }>({ open: new Map(), words: "" });
  if (said.open !== open) {
    const fresh = [...open.values()].filter(({ id }) => !said.open.has(id));
    const words = fresh.map((one) => `${one.member} asks: ${oneLine(one)}`).join(". ");
    // The words of an older question stand until there are new ones: nothing is said twice.
    setSaid({ open, words: fresh.length > 0 ? words : open.size === 0 ? "" : said.words });
  }
  // A live region is heard only for what changes after it is there.
  const [words, setWords] = useState("");
  useEffect(() => {
    const timer = setTimeout(() => setWords(said.words), 0);
    return () => clearTimeout(timer);
  }, [said.words]);
  return (
    <p role="alert" className="sr-only" data-testid="question-alert">
      {words}
    </p>
  );
}

/** How many questions wait; for the status bar. */
export function QuestionCount() {
  const house = useHouse();
  const open = useStore(house.hall.state, (state) => state.elicitations);
  const [oldest] = open.values();
  if (!oldest) return null;
  return (
    <button
      type="button"
      className="rounded-sm px-1 text-accent hover:bg-hover"
      title={`Answer the oldest (${keyLabel("Ctrl+Shift+A")})`}
      onClick={() => leadTo(house, oldest)}
    >
      <span aria-hidden>?</span> {counted(open.size, "question")}
    </button>
  );
}
