/** A resource: its server's description and a button that reads its contents. */
import { CopyButton } from "../../../components/CopyButton";
import { sizeWord } from "../../results/content";
import { number } from "../../../lib/format";
import { AddressBox } from "./AddressBox";
import type { Listed } from "./offer";
import { ReadBar } from "./ReadBar";
import { type OfferFormProps, unavailableWhy } from "./TemplateForm";

export function ResourceForm({ view, onAsk, uri, listed }: OfferFormProps & { uri: string; listed: Listed | undefined }) {
  const read = () => onAsk({ kind: "resource", uri });
  const resource = listed?.kind === "resource" ? listed.view : null;
  const facts: readonly (readonly [string, string | null])[] = [
    ["name", resource?.name ?? null],
    ["title", resource?.title ?? null],
    ["type", resource?.mimeType ?? null],
    ["size", resource?.size == null ? null : `${sizeWord(resource.size)} (${number(resource.size)} bytes)`],
  ];
  return (
    <ReadBar verb="Read" unavailable={unavailableWhy(view)} onRun={read} onAnyway={read}>
      <div className="flex items-start gap-2">
        <AddressBox uri={uri} label="Address" testId="uri" />
        <CopyButton text={() => uri} what="address" />
      </div>
      <dl className="mt-2 grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 select-text">
        {facts.map(
          ([word, value]) =>
            value !== null && (
              <div key={word} className="contents">
                <dt className="text-faint">{word}</dt>
                <dd className="[overflow-wrap:anywhere]" dir="auto">{value}</dd>
              </div>
            ),
        )}
      </dl>
    </ReadBar>
  );
}
