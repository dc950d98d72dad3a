/** A call as it went over the wire: the request, and what came back, as sent or spread out. */

import { createContext, use, useMemo } from "react";

import type { CallOutcome } from "../bridge/bindings";
import { CopyButton } from "../parts/CopyButton";
import { Sign } from "../parts/Icon";
import { prettySteps } from "./json/pretty";
import type { Tape } from "./json/tape";
import { useSteps, useTape } from "./json/useSteps";
import { SaveButton } from "./SaveButton";
import { Viewer } from "./text/Viewer";
import { useView } from "./views";
import { ViewSwitch } from "./ViewSwitch";

/** The text of a call's end as it came. */
export function rawOf({ end }: CallOutcome): string {
  return end.kind === "result" ? end.result : JSON.stringify({ report: end.report, error: end.rpc }, null, 2);
}

/** What is said where there is no request to be shown. */
export const NoRequestContext = createContext("Nothing was sent to the server.");

const SIDES = ["Response", "Request"] as const;
const WAYS = ["As sent", "Spread out"] as const;

export function RawPane({ outcome, response }: { outcome: CallOutcome; response: string }) {
  const unsent = use(NoRequestContext);
  const [side, setSide] = useView<(typeof SIDES)[number]>("raw side", SIDES);
  const [way, setWay] = useView<(typeof WAYS)[number]>("raw way", WAYS);
  const text = side === "Response" ? response : outcome.request;
  const what = side === "Response" ? "raw result" : "raw request";
  const name = `${outcome.member}-${outcome.tool}-${side.toLowerCase()}.json`;
  return (
    <>
      <div className="flex flex-wrap items-center gap-2">
        <ViewSwitch label="Which side of the call" views={SIDES} view={side} onView={setSide} />
        <ViewSwitch label="How it is written" views={WAYS} view={way} onView={setWay} />
        <span className="grow" />
        {text !== null && <CopyButton text={() => text} what={what} />}
        {text !== null && <SaveButton what={what} name={name} text={() => text} />}
      </div>
      {text === null ? (
        <p data-testid="raw-unsent" className="text-dim">{unsent}</p>
      ) : way === "As sent" ? (
        <Viewer key={side} text={text} label={what} fill />
      ) : (
        <SpreadOut key={side} text={text} label={what} />
      )}
    </>
  );
}

function SpreadOut({ text, label }: { text: string; label: string }) {
  const read = useTape(text);
  if (read === null) return <Viewer text={text} label={label} fill />;
  if ("ok" in read) return <Pretty tape={read.ok} label={label} />;
  return (
    <>
      <p className="text-warn"><Sign of="warning" className="me-1" />It is no JSON: {read.problem.message}</p>
      <Viewer text={text} label={label} fill />
    </>
  );
}

function Pretty({ tape, label }: { tape: Tape; label: string }) {
  const spread = useMemo(() => () => prettySteps(tape), [tape]);
  const pretty = useSteps(spread, tape.source.length);
  return <Viewer text={pretty ?? tape.source} label={label} fill />;
}
