/** The form of a resource: its URI, the properties that the server lists, and a button that reads the contents. */
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
    ["Name", resource?.name ?? null],
    ["Title", resource?.title ?? null],
    ["Type", resource?.mimeType ?? null],
    ["Size", resource?.size == null ? null : `${sizeWord(resource.size)} (${number(resource.size)} bytes)`],
  ];
  return (
    <ReadBar verb="Read" unavailable={unavailableWhy(view)} onRun={read} onAnyway={read}>
      <div className="flex items-start gap-2">
        <AddressBox uri={uri} label="Address" testId="uri" />
        <CopyButton icon text={() => uri} what="address" />
      </div>
      <dl className="mt-3 grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 select-text">
        {facts.map(
          ([word, value]) =>
            value !== null && (
              <div key={word} className="contents">
                <dt className="text-dim">{word}</dt>
                <dd className="[overflow-wrap:anywhere]" dir="auto">{value}</dd>
              </div>
            ),
        )}
      </dl>
    </ReadBar>
  );
}
