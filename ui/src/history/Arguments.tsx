import { useState } from "react";

import { CopyButton } from "../parts/CopyButton";
import { Sign } from "../parts/Icon";
import { CodeView } from "../results/code/CodeView";
import { formatted } from "../results/json/pretty";
import { useTape } from "../results/json/useSteps";
import { ViewSwitch } from "../results/ViewSwitch";
import { maskedWords } from "./replay";

const VIEWS = ["Tree", "Text"] as const;

/** What a call was made with: as a tree, or as the text that was kept. */
export function Arguments({ text, masked }: { text: string; masked: readonly string[] }) {
  const [view, setView] = useState<(typeof VIEWS)[number]>("Tree");
  const read = useTape(text);
  const tape = read !== null && "ok" in read ? read.ok : null;
  const hidden = maskedWords(masked);
  return (
    <section aria-label="Arguments" className="flex flex-col gap-1 px-3 py-2">
      <div className="flex flex-wrap items-center gap-2">
        <h3 className="font-semibold">Arguments</h3>
        {tape !== null && <ViewSwitch label="How the arguments are shown" views={VIEWS} view={view} onView={setView} />}
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
