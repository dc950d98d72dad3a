/** A template of resources: its variables, the address that they make, and the way to its contents. */
import { useCallback, useMemo } from "react";

import type { MemberView } from "../../../ipc/bindings";
import { Button } from "../../../components/Button";
import { CopyButton } from "../../../components/CopyButton";
import { Sign } from "../../../components/Icon";
import { Tooltip } from "../../../components/Tooltip";
import { number } from "../../../lib/format";
import { useHall } from "../../../lib/hall/hall";
import { AddressBox } from "./AddressBox";
import { ArgumentField } from "./ArgumentField";
import { type OfferRequest, type OfferSheet, useOfferStore } from "./offerStore";
import type { Listed } from "./offer";
import { ReadBar } from "./ReadBar";
import { expand, readTemplate, type Template, type Value } from "./template";

/** What the form of an offer is given. */
export interface OfferFormProps {
  readonly view: MemberView;
  readonly sheet: OfferSheet;
  readonly sheetKey: string;
  readonly onAsk: (asked: OfferRequest) => void;
}

/** Why nothing can be asked of a member now. */
export function unavailableWhy({ status }: MemberView): string | undefined {
  return status === "disabled" ? "The member is disabled in its manifest" : undefined;
}

/** The values that were filled in; several stand one per line. */
function valuesOf(template: Template, fields: ReadonlyMap<string, string>): ReadonlyMap<string, Value> {
  const values = new Map<string, Value>();
  for (const { name, exploded } of template.variables) {
    const field = fields.get(name);
    if (field !== undefined) values.set(name, exploded ? field.split("\n").filter((line) => line !== "") : field);
  }
  return values;
}

export function TemplateForm({ view, sheet, sheetKey, onAsk, uriTemplate, listed }: OfferFormProps & { uriTemplate: string; listed: Listed | undefined }) {
  const hall = useHall();
  const store = useOfferStore();
  const template = useMemo(() => readTemplate(uriTemplate), [uriTemplate]);
  const problem = "problem" in template ? template.problem : null;
  const made = "problem" in template ? uriTemplate : expand(template, valuesOf(template, sheet.fields));
  // An invalid template is edited as a whole address from the start.
  const whole = sheet.whole ?? (problem === null ? null : uriTemplate);
  const uri = whole ?? made;
  const empty = uri.trim() === "";
  const read = () => {
    if (!empty) onAsk({ kind: "resource", uri });
  };
  const { name: member, status } = view;
  const complete = useCallback(
    async (argument: string, value: string) => {
      const known = Object.fromEntries([...sheet.fields].filter(([name]) => name !== argument));
      const { values } = await hall.ask("complete_argument", { member, of: { kind: "template", uriTemplate }, argument, value, known });
      return values;
    },
    [hall, member, sheet.fields, uriTemplate],
  );
  const toggle = () => store.editWhole(sheetKey, sheet.whole === null ? uri : null);
  const mimeType = listed?.kind === "template" ? listed.view.mimeType : null;
  const unset = "problem" in template || whole !== null ? [] : template.variables.filter(({ name }) => !sheet.fields.has(name));
  return (
    <ReadBar
      verb="Read"
      unavailable={unavailableWhy(view) ?? (empty ? "There is no address" : undefined)}
      onRun={read}
      onAnyway={read}
      {...(problem === null && { onOther: toggle })}
      more={
        problem === null && (
          <Button look="quiet" aria-pressed={whole !== null} onClick={toggle}>
            {whole === null ? "Edit the whole address" : "Back to the variables"}
          </Button>
        )
      }
    >
      <div className="flex items-start gap-2 text-sm text-dim">
        <AddressBox uri={uriTemplate} label="Template" />
        {mimeType !== null && <Tooltip text={mimeType}><span className="max-w-[40%] truncate">{mimeType}</span></Tooltip>}
      </div>
      {problem !== null && (
        <p className="py-1 text-warn"><Sign of="warning" className="me-1" />This template can't be filled in here: {problem} Write the whole address.</p>
      )}
      {whole === null && !("problem" in template) ? (
        template.variables.map(({ name, exploded, prefix }) => (
          <ArgumentField
            key={name}
            name={name}
            title={prefix === null ? null : `Its first ${number(prefix)} characters are taken.`}
            description={null}
            required={false}
            value={sheet.fields.get(name)}
            onValue={(value) => store.fill(sheetKey, name, value)}
            several={exploded}
            problem={null}
            // Typing must not start a member that is down.
            complete={status === "ready" ? (value) => complete(name, value) : null}
          />
        ))
      ) : (
        <label className="mt-1 block">
          <span className="text-sm text-dim">Address</span>
          <textarea
            dir="ltr"
            rows={3}
            spellCheck={false}
            autoComplete="off"
            className="w-full rounded-sm border border-control bg-bg px-2 py-0.5 font-mono text-sm break-all"
            value={whole ?? ""}
            onChange={(event) => store.editWhole(sheetKey, event.target.value)}
          />
        </label>
      )}
      <section aria-label="Address that is read" className="mt-2 rounded-sm border border-line bg-sidebar px-2 py-1">
        <header className="flex items-center gap-2 text-sm text-dim">
          <span className="flex-1">This address is read</span>
          <CopyButton text={() => uri} what="address" />
        </header>
        <AddressBox uri={uri} label="Address" testId="uri" />
        {unset.length > 0 && (
          <p data-testid="template-left-out" className="text-sm text-dim">
            Without a value, and so left out: {unset.map(({ name }) => name).join(", ")}
          </p>
        )}
      </section>
    </ReadBar>
  );
}
