/** A prompt: its arguments, and the way to its messages. */
import { useCallback, useRef, useState } from "react";

import { Button } from "../../../components/Button";
import { Sign } from "../../../components/Icon";
import { number } from "../../../lib/format";
import { useHall } from "../../../lib/hall/hall";
import { ArgumentField } from "./ArgumentField";
import { useOfferStore } from "./offerStore";
import type { Listed } from "./offer";
import { ReadBar } from "./ReadBar";
import { type OfferFormProps, unavailableWhy } from "./TemplateForm";

const missingWords = (names: readonly string[]) =>
  names.length === 1 ? `A required argument is missing: ${names.join(", ")}` : `${number(names.length)} required arguments are missing: ${names.join(", ")}`;

export function PromptForm({ view, sheet, sheetKey, onAsk, prompt, listed }: OfferFormProps & { prompt: string; listed: Listed | undefined }) {
  const hall = useHall();
  const store = useOfferStore();
  const known = listed?.kind === "prompt" ? listed.view.arguments : [];
  const [refused, setRefused] = useState(false);
  const fields = useRef<HTMLDivElement>(null);
  const missing = known.filter(({ name, required }) => required && !sheet.fields.has(name));
  const given = () => {
    const names = new Set(known.map(({ name }) => name));
    return Object.fromEntries([...sheet.fields].filter(([name]) => names.has(name)));
  };
  const getAnyway = () => {
    setRefused(false);
    onAsk({ kind: "prompt", prompt, arguments: given() });
  };
  const get = () => {
    if (missing.length === 0) {
      getAnyway();
      return;
    }
    setRefused(true);
    fields.current?.querySelectorAll<HTMLElement>("input")[known.findIndex(({ name }) => name === missing[0]?.name)]?.focus();
  };
  const { name: member, status } = view;
  const complete = useCallback(
    async (argument: string, value: string) => {
      const others = Object.fromEntries([...sheet.fields].filter(([name]) => name !== argument));
      const { values } = await hall.ask("complete_argument", { member, of: { kind: "prompt", name: prompt }, argument, value, known: others });
      return values;
    },
    [hall, member, prompt, sheet.fields],
  );
  return (
    <ReadBar
      verb="Get"
      unavailable={unavailableWhy(view)}
      onRun={get}
      onAnyway={getAnyway}
      more={
        missing.length > 0 && (
          <Button look="quiet" title="Ask without the required arguments" unavailable={unavailableWhy(view)} onClick={getAnyway}>
            Get anyway
          </Button>
        )
      }
    >
      {refused && missing.length > 0 && (
        <p role="alert" className="rounded-sm border border-bad bg-bad-fill px-2 py-1 break-words">
          <Sign of="cross" className="text-bad me-1" />
          {missingWords(missing.map(({ name }) => name))}
        </p>
      )}
      {known.length === 0 && <p data-testid="prompt-no-arguments" className="text-dim">{listed ? "This prompt takes no arguments." : "Its arguments are not known."}</p>}
      <div ref={fields}>
        {known.map(({ name, title, description, required }) => (
          <ArgumentField
            key={name}
            {...{ name, title, description, required }}
            value={sheet.fields.get(name)}
            onValue={(value) => store.fill(sheetKey, name, value)}
            problem={refused && required && !sheet.fields.has(name) ? "needs a value" : null}
            // Typing must not start a member that is down.
            complete={status === "ready" ? (value) => complete(name, value) : null}
          />
        ))}
      </div>
    </ReadBar>
  );
}
