/** The raw request and response of a call, either unchanged or formatted. */

import { createContext, use, useMemo } from "react";

import type { CallOutcome } from "../../ipc/bindings";
import { CopyButton } from "../../components/CopyButton";
import { Sign } from "../../components/Icon";
import { CodeView } from "./code/CodeView";
import { prettySteps } from "./json/pretty";
import type { Steps } from "./json/steps";
import { readTape } from "./json/tape";
import { useSteps } from "./json/useSteps";
import { SaveButton } from "./SaveButton";
import { useView } from "./views";
import { ViewSwitch } from "./ViewSwitch";

/** The unchanged text of a call's result, or its error as JSON. */
export function rawOf({ end }: CallOutcome): string {
  return end.kind === "result" ? end.result : JSON.stringify({ report: end.report, error: end.rpc }, null, 2);
}

/** The message shown instead of the request if the call has no request. */
export const NoRequestContext = createContext("Nothing was sent to the server.");

const SIDES = ["Response", "Request"] as const;
const WAYS = ["Raw", "Formatted"] as const;

export function RawPane({ outcome, response }: { outcome: CallOutcome; response: string }) {
  const unsent = use(NoRequestContext);
  const [side, setSide] = useView<(typeof SIDES)[number]>("raw side", SIDES);
  const [way, setWay] = useView<(typeof WAYS)[number]>("raw way", WAYS);
  const text = side === "Response" ? response : outcome.request;
  const what = side === "Response" ? "raw result" : "raw request";
  return (
    <>
      <div className="flex flex-wrap items-center gap-2">
        <ViewSwitch label="Side of the call" views={SIDES} view={side} onView={setSide} />
        <ViewSwitch label="Format" views={WAYS} view={way} onView={setWay} />
        <span className="grow" />
        {text !== null && <CopyButton icon text={() => text} what={what} />}
        {text !== null && <SaveButton what={what} name={`${outcome.member}-${outcome.tool}-${side.toLowerCase()}.json`} text={() => text} />}
      </div>
      {text === null ? (
        <p data-testid="raw-unsent" className="text-dim">{unsent}</p>
      ) : way === "Raw" ? (
        <CodeView fill text={text} label={what} />
      ) : (
        <Formatted text={text} label={what} />
      )}
    </>
  );
}

function* formatSteps(text: string): Steps<{ readonly text: string; readonly problem: string | null }> {
  const read = yield* readTape(text);
  return "ok" in read ? { text: yield* prettySteps(read.ok), problem: null } : { text, problem: read.problem.message };
}

function Formatted({ text, label }: { text: string; label: string }) {
  const begin = useMemo(() => () => formatSteps(text), [text]);
  const formatted = useSteps(begin, text.length);
  const problem = formatted?.problem ?? null;
  return (
    <>
      {problem !== null && <p className="text-warn"><Sign of="warning" className="me-1" />Not valid JSON: {problem}</p>}
      <CodeView fill isJson={problem === null} text={formatted?.text ?? text} label={label} />
    </>
  );
}
