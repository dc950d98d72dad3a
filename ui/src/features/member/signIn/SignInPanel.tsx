/** Signing in to a member that runs elsewhere: whether it is wanted, where it is done, what holds. */
import { type ReactNode, useCallback, useEffect, useId, useRef, useState } from "react";

import type { GrantView, MemberView, Report, SignInStage, SignInView } from "../../../ipc/bindings";
import { asRefusal } from "../../../ipc/bridge";
import { Button } from "../../../components/Button";
import { CopyButton } from "../../../components/CopyButton";
import { Sign } from "../../../components/Icon";
import { isFocusNowhere } from "../../../lib/focus";
import { Trouble } from "../../../components/Trouble";
import type { SignName } from "../../../components/signs";
import { counted } from "../../../lib/format";
import { useHall } from "../../../lib/hall/hall";
import { useSpoken } from "../../../lib/spoken";
import { toTheMinute } from "../../../lib/time";
import { useSignIn } from "./useSignIn";

const wantsMoreWords = (scopes: string) => (scopes === "" ? "The server wants to have been granted more." : `The server wants to have been granted more: ${scopes}.`);

const CLIENTS = {
  manifest: "the client of the manifest",
  document: "the client of the manifest's document",
  registration: "a client that was registered for this",
};

/** Renders nothing if the member never required a sign-in. */
export function SignInPanel({ view }: { readonly view: MemberView }) {
  const hall = useHall();
  const signIn = useSignIn(hall, view);
  if (!signIn?.possible) return null;
  const needed = signIn.needed || view.error?.code === "sign-in-needed";
  if (!needed && signIn.grant === null && signIn.stage.kind === "idle") return null;
  return <Panel key={view.name} signIn={signIn} needed={needed} />;
}

function Panel({ signIn, needed }: { readonly signIn: SignInView; readonly needed: boolean }) {
  const hall = useHall();
  const spoken = useSpoken();
  const { member, stage, grant } = signIn;
  const title = useId();
  /**
   * The last reported address and the deadline of its sign-in. A different sign-in has a different address.
   */
  const [told, setTold] = useState<{ untilMs: number; address: string } | null>(null);
  const [problem, setProblem] = useState<Report | null>(null);
  const isWaiting = stage.kind === "waiting";

  const begin = useCallback(
    () =>
      hall.ask("sign_in", { member }).then(
        ({ address, signIn: { stage: reached } }) => {
          if (reached.kind === "waiting") setTold({ untilMs: reached.untilMs, address });
        },
        (reason: unknown) => {
          const { report } = asRefusal(reason);
          // A failed sign-in is already shown as its final stage, and the user knows about a canceled one.
          if (report.code !== "sign-in-failed" && report.code !== "sign-in-unknown") setProblem(report);
        },
      ),
    [hall, member],
  );
  // A sign-in that another client began has an address too.
  const address = isWaiting && told?.untilMs === stage.untilMs ? told.address : null;
  const unknown = isWaiting && address === null ? stage.untilMs : null;
  useEffect(() => {
    if (unknown !== null) void begin();
  }, [unknown, begin]);
  const signInNow = () => {
    isUsed.current = true;
    setProblem(null);
    void begin();
  };
  // It is said when it comes about, and not to everybody who comes here later.
  const before = useRef(stage.kind);
  useEffect(() => {
    if (stage.kind === "done" && before.current !== "done") spoken.set(`Signed in to ${member}.`);
    before.current = stage.kind;
  }, [stage.kind, spoken, member]);
  const heading = useRef<HTMLHeadingElement>(null);
  const isUsed = useRef(false);

  const ask = async (command: "cancel_sign_in" | "sign_out" | "open_sign_in", said: string | null) => {
    isUsed.current = true;
    setProblem(null);
    try {
      await hall.ask(command, { member });
      if (said !== null) spoken.set(said);
    } catch (reason) {
      setProblem(asRefusal(reason).report);
    }
  };
  // The button that was pressed goes away with the stage that it belongs to.
  useEffect(() => {
    if (isUsed.current && isFocusNowhere()) heading.current?.focus();
  }, [stage.kind, grant]);
  // Without a grant the standing says that it was given up, and is read aloud by itself.
  const cancel = <Button look="quiet" onClick={() => void ask("cancel_sign_in", grant && "The sign-in was given up.")}>Cancel</Button>;

  return (
    <section aria-labelledby={title} data-testid="sign-in" data-stage={stage.kind} className="flex shrink-0 flex-col gap-2 rounded-md border border-line px-3 py-2">
      <div className="flex flex-wrap items-center gap-2">
        <h2 ref={heading} id={title} tabIndex={-1} className="font-medium outline-none">Sign-in</h2>
        <p className="min-w-0 flex-1 basis-64 break-words" role="status">
          <Standing signIn={signIn} needed={needed} />
        </p>
        {isUnderWay(stage) ? stage.kind !== "taking" && cancel : (
          <>
            <Button look={needed ? "accent" : "plain"} onClick={signInNow}>{grant ? "Sign in again…" : "Sign in…"}</Button>
            {grant && <Button onClick={() => void ask("sign_out", `Signed out of ${member}.`)}>Sign out</Button>}
          </>
        )}
      </div>
      {!isUnderWay(stage) && needed && <p className="text-dim">First the authorization server is looked for. No browser opens before you say so.</p>}
      {isWaiting && (
        <Waiting
          stage={stage}
          address={address}
          onOpen={() => void ask("open_sign_in", `${stage.host} was opened in the browser.`)}
        />
      )}
      {stage.kind === "failed" && <Trouble report={stage.report} testid="sign-in-failed" />}
      {problem && <Trouble report={problem} />}
      {grant && <Grant grant={grant} />}
    </section>
  );
}

function isUnderWay({ kind }: SignInStage): boolean {
  return kind === "looking" || kind === "waiting" || kind === "taking";
}

/** The current state of the sign-in in one line, with an icon. */
function Standing({ signIn: { stage, grant, wanted, needed: wantsMore }, needed }: { readonly signIn: SignInView; readonly needed: boolean }) {
  const marked = (shape: SignName, colour: string, text: string) => (
    <>
      <Sign of={shape} className={`me-1 ${colour}`} />
      {text}
    </>
  );
  if (stage.kind === "looking") return marked("clock", "text-dim", "Looking for where to sign in…");
  if (stage.kind === "waiting") return marked("clock", "text-dim", "Waiting for the browser");
  if (stage.kind === "taking") return marked("clock", "text-dim", "The answer is there and is being exchanged…");
  if (grant && wantsMore) return marked("warning", "text-warn", wantsMoreWords(wanted.join(" ")));
  if (grant) return marked("dot", "text-ok", "Signed in");
  if (stage.kind === "cancelled") return marked("pause", "text-dim", "The sign-in was given up.");
  if (needed) return marked("warning", "text-warn", "The server wants somebody to sign in.");
  return marked("ring", "text-dim", "Nobody is signed in.");
}

interface WaitingProps {
  readonly stage: Extract<SignInStage, { kind: "waiting" }>;
  readonly address: string | null;
  readonly onOpen: () => void;
}

function Waiting({ stage: { host, issuer, scopes, untilMs, strays }, address, onOpen }: WaitingProps) {
  return (
    <div className="flex flex-col gap-2">
      <p className="break-words">
        <bdi className="font-medium" data-testid="sign-in-host">Sign in at {host}</bdi>
        {issuer !== null && <span className="block text-dim">The server names {issuer} as the one that signs you in.</span>}
        {scopes.length > 0 && <span className="block text-dim">It is asked for: {scopes.join(" ")}</span>}
      </p>
      {address !== null && (
        <div className="flex items-start gap-1">
          <pre
            dir="ltr"
            role="region"
            aria-label="The whole address"
            // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- It scrolls, and has to be reached by the keyboard.
            tabIndex={0}
            className="max-h-24 min-w-0 flex-1 overflow-auto rounded-sm border border-line bg-sidebar p-2 font-mono text-sm break-all whitespace-pre-wrap select-text"
          >
            {address}
          </pre>
          <CopyButton what="the address" text={() => address} />
        </div>
      )}
      {strays > 0 && (
        <p data-testid="sign-in-foreign" role="note" className="break-words">
          <Sign of="warning" className="text-warn me-1" />
          {counted(strays, { one: "answer", other: "answers" })} of another sign-in came and nothing of it was used.
        </p>
      )}
      <div className="flex flex-wrap items-center gap-2">
        <Button look="accent" className="h-auto min-h-6 max-w-full whitespace-normal break-all" onClick={onOpen}>Open {host} in the browser</Button>
        <span className="text-dim">The answer is waited for until {toTheMinute(untilMs)}.</span>
      </div>
    </div>
  );
}

function Grant({ grant: { issuer, scopes, receivedAtMs, expiresAtMs, renews, client } }: { readonly grant: GrantView }) {
  const ends = expiresAtMs === null ? "not said when" : toTheMinute(expiresAtMs);
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-3 gap-y-1 select-text">
      <Row name="By">{issuer ?? "the server itself"}</Row>
      <Row name="For">{scopes.length > 0 ? scopes.join(" ") : "what the server gives by itself"}</Row>
      <Row name="Since">{toTheMinute(receivedAtMs)}</Row>
      <Row name="Token ends">{renews ? `${ends}, and is renewed by itself` : ends}</Row>
      <Row name="As">{CLIENTS[client]}</Row>
    </dl>
  );
}

function Row({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <>
      <dt className="text-dim">{name}</dt>
      <dd className="min-w-0 break-words">{children}</dd>
    </>
  );
}
