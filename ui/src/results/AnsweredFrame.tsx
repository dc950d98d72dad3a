/** What came back, framed: shown or as it came over the wire, by a pair of tabs; how it ended; to be taken along whole. */
import { type KeyboardEvent, type ReactNode, useId, useState } from "react";

import type { CallOutcome } from "../bridge/bindings";
import { CopyButton } from "../parts/CopyButton";
import { Sign } from "../parts/Icon";
import { duration } from "../words/time";
import { sizeWord } from "./content";
import type { CallFace } from "./face";
import { RawPane } from "./RawPane";
import { SaveButton } from "./SaveButton";

const TABS = ["shown", "raw"] as const;

interface Props {
  readonly outcome: CallOutcome;
  readonly face: CallFace;
  /** The answer as it came, and its bytes; `null` until they are counted. */
  readonly raw: string;
  readonly size: number | null;
  /** What the whole is called, and what each tab is. */
  readonly label: string;
  readonly tabs: Readonly<Record<(typeof TABS)[number], string>>;
  readonly whole: string;
  readonly fileName: string;
  /** For tests: which of the window's answers it is. */
  readonly statusId: string;
  readonly children: ReactNode;
}

export function AnsweredFrame({ outcome, face, raw, size, label, tabs, whole, fileName, statusId, children }: Props) {
  const id = useId();
  const [tab, setTab] = useState<(typeof TABS)[number]>("shown");
  const swap = (event: KeyboardEvent) => {
    if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
    event.preventDefault();
    const next = tab === "shown" ? "raw" : "shown";
    setTab(next);
    document.getElementById(`${id}-${next}`)?.focus();
  };
  const failed = face.name !== "ok" && face.name !== "cancelled";
  return (
    <>
      <header className={`flex shrink-0 flex-wrap items-center gap-2 border-b border-line px-3 py-1 ${face.fill}`}>
        <div role="tablist" aria-label={label}>
          {TABS.map((one) => (
            <button
              key={one}
              id={`${id}-${one}`}
              type="button"
              role="tab"
              aria-selected={one === tab}
              aria-controls={`${id}-panel`}
              tabIndex={one === tab ? 0 : -1}
              className={`border-b-2 px-2 py-0.5 ${one === tab ? "border-accent text-text" : "border-transparent text-dim hover:text-text"}`}
              onClick={() => setTab(one)}
              onKeyDown={swap}
            >
              {tabs[one]}
            </button>
          ))}
        </div>
        <p data-testid={statusId} data-face={face.name} role={failed ? "alert" : "status"} className="grow">
          <span className={face.colour}>
            <Sign of={face.shape} className="me-1" />
            {face.word}
          </span>
          <span className="text-dim">
            {" "}
            {duration(outcome.durationMs)}
            {outcome.end.kind === "result" && size !== null && ` · ${sizeWord(size)}`}
          </span>
        </p>
        <div className="ms-auto flex flex-wrap items-center gap-2">
          <CopyButton text={() => raw} what={whole} />
          <SaveButton what={whole} name={fileName} text={() => raw} />
        </div>
      </header>
      <div
        id={`${id}-panel`}
        role="tabpanel"
        aria-labelledby={`${id}-${tab}`}
        className="flex min-h-0 flex-1 flex-col gap-2 overflow-auto px-3 py-2"
      >
        {tab === "raw" ? <RawPane outcome={outcome} response={raw} /> : children}
      </div>
    </>
  );
}
