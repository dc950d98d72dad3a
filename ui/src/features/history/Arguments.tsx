import { useState } from "react";

import { CopyButton } from "../../components/CopyButton";
import { Sign } from "../../components/Icon";
import { CodeView } from "../results/code/CodeView";
import { formatted } from "../results/json/pretty";
import { useTape } from "../results/json/useSteps";
import { ViewSwitch } from "../results/ViewSwitch";
import { maskedWords } from "./replay";

const VIEWS = ["Tree", "Text"] as const;

/** The arguments of a recorded call, as formatted JSON or as the recorded text. */
export function Arguments({ text, masked }: { text: string; masked: readonly string[] }) {
  const [view, setView] = useState<(typeof VIEWS)[number]>("Tree");
  const read = useTape(text);
  const tape = read !== null && "ok" in read ? read.ok : null;
  const hidden = maskedWords(masked);
  return (
    <section aria-label="Arguments" className="flex flex-col gap-1 px-4 py-3">
      <div className="flex flex-wrap items-center gap-2">
        {tape !== null && <ViewSwitch label="View of the arguments" views={VIEWS} view={view} onView={setView} />}
        <span className="grow" />
        <CopyButton what="the arguments" text={() => text} />
      </div>
      {hidden !== null && <p className="text-sm text-warn"><Sign of="warning" className="me-1" />{hidden}</p>}
      {tape !== null && view === "Tree" ? (
        <CodeView isJson text={formatted(text)} label="arguments" />
      ) : (
        <CodeView text={text} label="arguments" />
      )}
    </section>
  );
}
