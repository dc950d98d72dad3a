/** The form with the arguments of a prompt. */
import { useRef, useState } from "react";

import { Button } from "../../../components/Button";
import { Sign } from "../../../components/Icon";
import { ArgumentField, useArgumentCompletions } from "./ArgumentField";
import { useOfferStore } from "./offerStore";
import type { Listed } from "./offer";
import { ReadBar } from "./ReadBar";
import { type OfferFormProps, unavailableWhy } from "./TemplateForm";

export function PromptForm({ view, sheet, sheetKey, onAsk, prompt, listed }: OfferFormProps & { prompt: string; listed: Listed | undefined }) {
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
  const completionsOf = useArgumentCompletions(view, sheet, { kind: "prompt", name: prompt });
  return (
    <ReadBar
      verb="Get"
      unavailable={unavailableWhy(view)}
      onRun={get}
      onAnyway={getAnyway}
      more={
        missing.length > 0 && (
          <Button look="quiet" title="Get without the required arguments" unavailable={unavailableWhy(view)} onClick={getAnyway}>
            Get anyway
          </Button>
        )
      }
    >
      {refused && missing.length > 0 && (
        <p role="alert" className="rounded-sm border border-bad bg-bad-fill px-2 py-1 break-words">
          <Sign of="cross" className="text-bad me-1" />
          {missing.length === 1 ? "Missing required argument" : "Missing required arguments"}: {missing.map(({ name }) => name).join(", ")}
        </p>
      )}
      {known.length === 0 && <p data-testid="prompt-no-arguments" className="text-dim">{listed ? "This prompt takes no arguments." : "Arguments unknown"}</p>}
      <div ref={fields}>
        {known.map(({ name, title, description, required }) => (
          <ArgumentField
            key={name}
            {...{ name, title, description, required }}
            value={sheet.fields.get(name)}
            onValue={(value) => store.fill(sheetKey, name, value)}
            problem={refused && required && !sheet.fields.has(name) ? "Required" : null}
            complete={completionsOf(name)}
          />
        ))}
      </div>
    </ReadBar>
  );
}
