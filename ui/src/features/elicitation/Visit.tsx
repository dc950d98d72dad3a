/** A question that asks the user to open an address. The window shows the address and never opens it. */
import { useMemo } from "react";

import type { Elicitation } from "../../ipc/bindings";
import { CopyButton } from "../../components/CopyButton";
import { Sign } from "../../components/Icon";
import { readAddress } from "./address";
import { type PanelProps, QuestionFrame } from "./QuestionFrame";
import { useAnswering } from "./useAnswering";

export function Visit({ elicitation, url, ...rest }: PanelProps & { url: string }) {
  const answering = useAnswering(elicitation.id);
  return (
    <QuestionFrame
      {...rest}
      elicitation={elicitation}
      answering={answering}
      acceptLabel="Done"
      onAccept={() => answering.answer("accept", null)}
      unavailable={answering.unavailable}
      typed={false}
    >
      <Shown url={url} member={elicitation.member} />
    </QuestionFrame>
  );
}

function Shown({ url, member }: { url: string; member: Elicitation["member"] }) {
  const { before, host, after, goesTo, warnings } = useMemo(() => readAddress(url), [url]);
  return (
    <div className="flex flex-col gap-2">
      <p className="text-dim">
        {member} asks you to open this address in your browser. Copy it if you trust it.
      </p>
      <div className="flex items-start gap-2 rounded-sm border border-control bg-bg px-2 py-1">
        {/* A scrollable region needs a `tabIndex`, so that the keyboard can scroll it. */}
        <div
          role="region"
          aria-label="Address"
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
          tabIndex={0}
          dir="ltr"
          data-testid="address"
          className="max-h-40 min-w-0 flex-1 overflow-y-auto font-mono text-sm break-all text-dim select-text"
        >
          {before}
          <strong className="font-bold text-text">{host}</strong>
          {after}
        </div>
        <CopyButton icon text={() => url} what="address" />
      </div>
      {goesTo !== null && (
        <p>
          Opens <bdi dir="ltr" className="font-mono font-bold break-all">{goesTo}</bdi>
        </p>
      )}
      {warnings.length > 0 && (
        <ul aria-label="Warnings about the address" className="flex flex-col gap-1 rounded-md bg-warn-fill px-3 py-2">
          {warnings.map((warning) => (
            <li key={warning} className="break-words">
              <Sign of="warning" className="text-warn me-1" />
              {warning}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
