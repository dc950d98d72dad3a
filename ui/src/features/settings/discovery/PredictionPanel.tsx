/** Asks a model to guess a member's tools, after the user has seen and approved the full request. */
import { useCallback, useEffect, useId, useRef, useState } from "react";

import type { CallId, MemberName, MemberView, PredictionRequest, Report } from "../../../ipc/bindings";
import { asRefusal } from "../../../ipc/bridge";
import { Button } from "../../../components/Button";
import { CopyButton } from "../../../components/CopyButton";
import { Sign } from "../../../components/Icon";
import { Reading } from "../../../components/Reading";
import { Reported } from "../../../components/Reported";
import { ErrorReport } from "../../../components/ErrorReport";
import { newCallId } from "../../../lib/callId";
import { counted } from "../../../lib/format";
import { useHall } from "../../../lib/hall/hall";
import { useNavigation } from "../../../lib/navigation/navigation";
import { useSpoken } from "../../../lib/spoken";

interface Props {
  readonly view: MemberView;
  /** Whether the member's current tools were guessed by a model. */
  readonly predicted: boolean;
}

export default function PredictionPanel({ view, predicted }: Props) {
  const [open, setOpen] = useState(false);
  const title = useId();
  return (
    <section aria-labelledby={title} data-testid="prediction" className="flex shrink-0 flex-col gap-2 rounded-md border border-line px-3 py-2">
      <div className="flex flex-wrap items-center gap-2">
        <h2 data-testid="prediction-state" id={title} className="min-w-0 flex-1 basis-64">
          {predicted ? "A model guessed these tools." : "No tools found. You can ask a model to guess."}
        </h2>
        {!open && <Button onClick={() => setOpen(true)}>{predicted ? "Show the request…" : "Ask a model…"}</Button>}
        {open && <Button look="quiet" onClick={() => setOpen(false)}>Close</Button>}
      </div>
      {open && <Question view={view} />}
    </section>
  );
}

interface Answer {
  readonly request: PredictionRequest | null;
  readonly trouble: Report | null;
}

function useRequest(member: MemberName, listedAtMs: number | null, status: string) {
  const hall = useHall();
  const [answer, setAnswer] = useState<Answer>({ request: null, trouble: null });
  const turn = useRef(0);
  const read = useCallback(async () => {
    turn.current += 1;
    const mine = turn.current;
    const keep = (next: Answer) => {
      if (mine === turn.current) setAnswer(next);
    };
    try {
      keep({ request: await hall.ask("prediction_request", { member }), trouble: null });
    } catch (reason) {
      keep({ request: null, trouble: asRefusal(reason).report });
    }
  }, [hall, member]);
  useEffect(() => {
    void read();
    return () => {
      turn.current += 1;
    };
  }, [read, listedAtMs, status]);
  return { ...answer, read };
}

function Question({ view }: { view: MemberView }) {
  const hall = useHall();
  const spoken = useSpoken();
  const navigation = useNavigation();
  const { name } = view;
  const { request, trouble, read } = useRequest(name, view.listedAtMs, view.status);
  const [chosen, setChosen] = useState<boolean | null>(null);
  const [asking, setAsking] = useState<CallId | null>(null);
  const [problem, setProblem] = useState<Report | null>(null);
  /** The id of the pending request, which is cancelled when the panel is unmounted. */
  const running = useRef<CallId | null>(null);
  const remember = chosen ?? request?.remembered ?? false;
  const cancel = useCallback(() => {
    if (running.current !== null) hall.ask("cancel_call", { call: running.current }).catch(() => undefined);
  }, [hall]);
  useEffect(() => cancel, [cancel]);

  const send = async (shown: PredictionRequest) => {
    const call = newCallId();
    running.current = call;
    setAsking(call);
    setProblem(null);
    try {
      const { tools } = await hall.ask("predict_tools", { call, member: name, hash: shown.hash, remember });
      spoken.set(`The model guessed ${counted(tools.length, { one: "tool", other: "tools" })} of ${name}`);
    } catch (reason) {
      const { report } = asRefusal(reason);
      if (report.code !== "call-cancelled") setProblem(report);
    }
    running.current = null;
    setAsking(null);
    await read();
  };
  const forget = async () => {
    setChosen(false);
    try {
      await hall.ask("forget_prediction", { member: name });
      spoken.set(`Guild Hall asks you before each request for ${name}.`);
    } catch (reason) {
      setProblem(asRefusal(reason).report);
    }
    await read();
  };
  const whyNot = request?.whyNot ?? null;
  const unavailable = asking === null ? (whyNot?.message ?? undefined) : "Asking the model…";
  return (
    <div className="flex flex-col gap-2">
      {!request && !trouble && <Reading what="the request" className="" />}
      {trouble && <Refused report={trouble} member={name} />}
      {request && (
        <>
          <p className="text-dim">This is everything that's sent. Secrets and folder paths are removed.</p>
          <div className="flex items-start gap-1">
            <pre
              role="region"
              aria-label="The request"
              // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the keyboard can only scroll a focusable region
              tabIndex={0}
              data-testid="prediction-request"
              className="max-h-64 min-w-0 flex-1 overflow-auto rounded-sm border border-line bg-sidebar p-2 font-mono text-sm whitespace-pre-wrap break-words select-text"
            >
              {`POST ${request.url}\n${request.headers.join("\n")}\n\n${request.body}`}
            </pre>
            <CopyButton what="the request" text={() => request.body} />
          </div>
          {whyNot && <Refused report={whyNot} member={name} />}
          <label className="flex items-start gap-2">
            <input type="checkbox" className="mt-1" checked={remember} onChange={({ target }) => setChosen(target.checked)} />
            <span>
              Always send this request for {name}
              <span className="block text-sm text-dim">You review any other request first.</span>
            </span>
          </label>
          <div className="flex flex-wrap gap-2">
            <Button look="accent" unavailable={unavailable} onClick={() => void send(request)}>{asking === null ? "Send" : "Asking…"}</Button>
            {asking !== null && <Button onClick={cancel}>Cancel</Button>}
            {request.remembered && asking === null && <Button onClick={() => void forget()}>Ask me again</Button>}
            <Button look="quiet" onClick={() => navigation.openDiscovery()}>Settings</Button>
          </div>
        </>
      )}
      {problem && <ErrorReport report={problem} testid="prediction-problem" />}
    </div>
  );
}

/** The reason why the request can't be sent, with a button for the fix. */
function Refused({ report, member }: { report: Report; member: MemberName }) {
  const navigation = useNavigation();
  const hall = useHall();
  return (
    <div role="note" data-code={report.code} className="rounded-md border border-warn bg-warn-fill px-3 py-2 break-words select-text">
      <p>
        <Sign of="warning" className="text-warn me-1" />
        <Reported report={report} />
      </p>
      <div className="mt-1 flex flex-wrap gap-2">
        {(report.code === "prediction-off" || report.code === "discovery-settings") && <Button onClick={() => navigation.openDiscovery()}>Open settings</Button>}
        {report.code === "prediction-refused" && <Button onClick={() => void hall.tend("refresh_member", member)}>Refresh tools</Button>}
      </div>
    </div>
  );
}
