/** The form of a resource template: fields for the variables, and the resulting URI. */
import { useMemo } from "react";

import type { MemberView } from "../../../ipc/bindings";
import { Button } from "../../../components/Button";
import { CopyButton } from "../../../components/CopyButton";
import { Sign } from "../../../components/Icon";
import { Tooltip } from "../../../components/Tooltip";
import { number } from "../../../lib/format";
import { AddressBox } from "./AddressBox";
import { ArgumentField, useArgumentCompletions } from "./ArgumentField";
import { type OfferRequest, type OfferSheet, useOfferStore } from "./offerStore";
import type { Listed } from "./offer";
import { ReadBar } from "./ReadBar";
import { expand, readTemplate, type Template, type Value } from "./template";

export interface OfferFormProps {
  readonly view: MemberView;
  readonly sheet: OfferSheet;
  readonly sheetKey: string;
  readonly onAsk: (asked: OfferRequest) => void;
}

/** The reason why a member can't respond to requests now; `undefined` if it can. */
export function unavailableWhy({ status }: MemberView): string | undefined {
  return status === "disabled" ? "Disabled in plugin.json" : undefined;
}

/** The values of the template's variables. The field of an exploded variable has one value per line. */
function valuesOf(template: Template, fields: ReadonlyMap<string, string>): ReadonlyMap<string, Value> {
  const values = new Map<string, Value>();
  for (const { name, exploded } of template.variables) {
    const field = fields.get(name);
    if (field !== undefined) values.set(name, exploded ? field.split("\n").filter((line) => line !== "") : field);
  }
  return values;
}

export function TemplateForm({ view, sheet, sheetKey, onAsk, uriTemplate, listed }: OfferFormProps & { uriTemplate: string; listed: Listed | undefined }) {
  const store = useOfferStore();
  const template = useMemo(() => readTemplate(uriTemplate), [uriTemplate]);
  const problem = "problem" in template ? template.problem : null;
  const made = "problem" in template ? uriTemplate : expand(template, valuesOf(template, sheet.fields));
  // The variables of an invalid template are unknown, so the user edits the whole URI.
  const whole = sheet.whole ?? (problem === null ? null : uriTemplate);
  const uri = whole ?? made;
  const empty = uri.trim() === "";
  const read = () => {
    if (!empty) onAsk({ kind: "resource", uri });
  };
  const completionsOf = useArgumentCompletions(view, sheet, { kind: "template", uriTemplate });
  const toggle = () => store.editWhole(sheetKey, sheet.whole === null ? uri : null);
  const mimeType = listed?.kind === "template" ? listed.view.mimeType : null;
  const unset = "problem" in template || whole !== null ? [] : template.variables.filter(({ name }) => !sheet.fields.has(name));
  return (
    <ReadBar
      verb="Read"
      unavailable={unavailableWhy(view) ?? (empty ? "Enter an address" : undefined)}
      onRun={read}
      onAnyway={read}
      {...(problem === null && { onOther: toggle })}
      more={
        problem === null && (
          <Button look="quiet" aria-pressed={whole !== null} onClick={toggle}>
            {whole === null ? "Edit address" : "Edit variables"}
          </Button>
        )
      }
    >
      <div className="flex items-start gap-2 text-sm text-dim">
        <AddressBox uri={uriTemplate} label="Template" />
        {mimeType !== null && <Tooltip text={mimeType}><span className="max-w-[40%] truncate">{mimeType}</span></Tooltip>}
      </div>
      {problem !== null && (
        <p className="py-1 text-warn"><Sign of="warning" className="me-1" />Guild Hall can't fill in this template: {problem} Enter the whole address.</p>
      )}
      {whole === null && !("problem" in template) ? (
        template.variables.map(({ name, exploded, prefix }) => (
          <ArgumentField
            key={name}
            name={name}
            title={prefix === null ? null : `Only the first ${number(prefix)} characters are used.`}
            description={null}
            required={false}
            value={sheet.fields.get(name)}
            onValue={(value) => store.fill(sheetKey, name, value)}
            several={exploded}
            problem={null}
            complete={completionsOf(name)}
          />
        ))
      ) : (
        <label className="mt-1 block">
          <span className="font-medium">Address</span>
          <textarea
            dir="ltr"
            rows={3}
            spellCheck={false}
            autoComplete="off"
            className="w-full rounded-sm border border-control bg-bg px-2 py-1 font-mono text-sm break-all"
            value={whole ?? ""}
            onChange={(event) => store.editWhole(sheetKey, event.target.value)}
          />
        </label>
      )}
      <section aria-label="Resulting address" className="mt-3 rounded-md border border-line bg-sidebar px-3 py-2">
        <header className="flex items-center gap-2 text-sm text-dim">
          <span className="flex-1">Resulting address</span>
          <CopyButton icon text={() => uri} what="address" />
        </header>
        <AddressBox uri={uri} label="Address" testId="uri" />
        {unset.length > 0 && (
          <p data-testid="template-left-out" className="text-sm text-dim">
            Not set: {unset.map(({ name }) => name).join(", ")}
          </p>
        )}
      </section>
    </ReadBar>
  );
}
