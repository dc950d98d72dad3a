/** The sign-in to a remote member: whether a sign-in is required, its progress, and the current grant. */
import { type ReactNode, useCallback, useEffect, useId, useRef, useState } from "react";

import type { GrantView, MemberView, Report, SignInStage, SignInView } from "../../../ipc/bindings";
import { asRefusal } from "../../../ipc/bridge";
import { Button } from "../../../components/Button";
import { CopyButton } from "../../../components/CopyButton";
import { Sign } from "../../../components/Icon";
import { isFocusNowhere } from "../../../lib/focus";
import { ErrorReport } from "../../../components/ErrorReport";
import type { SignName } from "../../../components/signs";
import { counted } from "../../../lib/format";
import { useHall } from "../../../lib/hall/hall";
import { useSpoken } from "../../../lib/spoken";
import { toTheMinute } from "../../../lib/time";
import { useSignIn } from "./useSignIn";

const CANCELLED = "Sign-in cancelled";

const CLIENTS = {
  manifest: "From plugin.json",
  document: "From the document in plugin.json",
  registration: "Registered for this sign-in",
};

/** Renders nothing if the member requires no sign-in, has no grant, and the user has not begun a sign-in. */
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
   * The last reported sign-in URL and the deadline of that sign-in. Each sign-in has a different URL.
   */
  const [reported, setReported] = useState<{ untilMs: number; address: string } | null>(null);
  const [problem, setProblem] = useState<Report | null>(null);
  const isWaiting = stage.kind === "waiting";

  const begin = useCallback(
    (command: "sign_in" | "sign_in_with_code" = "sign_in") =>
      hall.ask(command, { member }).then(
        ({ address, signIn: { stage: reached } }) => {
          if (reached.kind === "waiting") setReported({ untilMs: reached.untilMs, address });
        },
        (reason: unknown) => {
          const { report } = asRefusal(reason);
          // A failed sign-in is already shown as its final stage, and the user knows about a canceled one.
          if (report.code !== "sign-in-failed" && report.code !== "sign-in-unknown") setProblem(report);
        },
      ),
    [hall, member],
  );
  // If another client began the sign-in, this window does not have the URL yet and requests it.
  const address = isWaiting && reported?.untilMs === stage.untilMs ? reported.address : null;
  const unknown = isWaiting && address === null ? stage.untilMs : null;
  useEffect(() => {
    if (unknown !== null) void begin();
  }, [unknown, begin]);
  const signInNow = () => {
    isUsed.current = true;
    setProblem(null);
    void begin();
  };
  const signInWithCode = () => {
    isUsed.current = true;
    setProblem(null);
    void begin("sign_in_with_code");
  };
  // Announce a sign-in when it succeeds, but not when the page is opened later.
  const before = useRef(stage.kind);
  useEffect(() => {
    if (stage.kind === "done" && before.current !== "done") spoken.set(`Signed in to ${member}.`);
    before.current = stage.kind;
  }, [stage.kind, spoken, member]);
  const heading = useRef<HTMLHeadingElement>(null);
  const isUsed = useRef(false);

  const paste = async (answer: string) => {
    isUsed.current = true;
    setProblem(null);
    try {
      await hall.ask("paste_sign_in", { member, answer });
    } catch (reason) {
      setProblem(asRefusal(reason).report);
    }
  };
  const ask = async (command: "cancel_sign_in" | "sign_out" | "open_sign_in", announcement: string | null) => {
    isUsed.current = true;
    setProblem(null);
    try {
      await hall.ask(command, { member });
      if (announcement !== null) spoken.set(announcement);
    } catch (reason) {
      setProblem(asRefusal(reason).report);
    }
  };
  // A new stage removes the button that the user pressed. If the focus was lost, the heading takes the focus.
  useEffect(() => {
    if (isUsed.current && isFocusNowhere()) heading.current?.focus();
  }, [stage.kind, grant]);
  // Without a grant, the status line already announces that the sign-in was canceled.
  const cancel = <Button look="quiet" onClick={() => void ask("cancel_sign_in", grant && CANCELLED)}>Cancel</Button>;

  const underWay = isUnderWay(stage);
  const look = underWay ? "bg-info-fill" : needed ? "bg-warn-fill" : "border border-line";
  return (
    <section aria-labelledby={title} data-testid="sign-in" data-stage={stage.kind} className={`flex shrink-0 flex-col gap-3 rounded-md px-3 py-2 ${look}`}>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <h2 ref={heading} id={title} tabIndex={-1} className="sr-only">Sign-in</h2>
        <div className="min-w-0 flex-1 basis-64 break-words">
          <p className="font-medium" role="status">
            <Standing signIn={signIn} needed={needed} />
          </p>
          {!underWay && needed && <p className="text-sm text-dim">You confirm before a browser opens.</p>}
        </div>
        {underWay ? stage.kind !== "taking" && cancel : (
          <>
            {grant && <Button onClick={() => void ask("sign_out", `Signed out of ${member}.`)}>Sign out</Button>}
            <Button look={needed ? "accent" : "plain"} onClick={signInNow}>{grant ? "Sign in again…" : "Sign in…"}</Button>
          </>
        )}
      </div>
      {isWaiting && (
        <Waiting
          stage={stage}
          address={address}
          onOpen={() => void ask("open_sign_in", `${stage.host} was opened in the browser.`)}
          onCode={signInWithCode}
          onPaste={(answer) => void paste(answer)}
        />
      )}
      {stage.kind === "failed" && <ErrorReport report={stage.report} testid="sign-in-failed" />}
      {problem && <ErrorReport report={problem} />}
      {grant && <Grant grant={grant} />}
    </section>
  );
}

function isUnderWay({ kind }: SignInStage): boolean {
  return kind === "looking" || kind === "waiting" || kind === "taking";
}

/** The state of the sign-in as an icon and one line of text. */
function Standing({ signIn: { stage, grant, wanted, needed: wantsMore }, needed }: { readonly signIn: SignInView; readonly needed: boolean }) {
  const marked = (shape: SignName, colour: string, text: string) => (
    <>
      <Sign of={shape} className={`me-1 ${colour}`} />
      {text}
    </>
  );
  if (stage.kind === "looking") return marked("clock", "text-dim", "Looking for the sign-in page…");
  if (stage.kind === "waiting") return marked("clock", "text-dim", stage.code === null ? "Waiting for the browser" : "Waiting until you enter the code");
  if (stage.kind === "taking") return marked("clock", "text-dim", "Signing in…");
  if (grant && wantsMore) return marked("warning", "text-warn", `Needs more permissions${wanted.length > 0 ? `: ${wanted.join(" ")}` : ""}`);
  if (grant) return marked("dot", "text-ok", "Signed in");
  if (stage.kind === "cancelled") return marked("pause", "text-dim", CANCELLED);
  if (needed) return marked("key", "text-warn", "Sign in to use this member");
  return marked("ring", "text-dim", "Signed out");
}

interface WaitingProps {
  readonly stage: Extract<SignInStage, { kind: "waiting" }>;
  readonly address: string | null;
  readonly onOpen: () => void;
  readonly onCode: () => void;
  readonly onPaste: (answer: string) => void;
}

function Waiting({ stage: { host, issuer, scopes, untilMs, strays, code, offersCode }, address, onOpen, onCode, onPaste }: WaitingProps) {
  return (
    <div className="flex flex-col gap-2">
      <p className="break-words">
        <bdi className="font-medium" data-testid="sign-in-host">Sign in at {host}</bdi>
        {issuer !== null && <span className="block text-dim">The server uses {issuer} for sign-in.</span>}
        {scopes.length > 0 && <span className="block text-dim">Requested permissions: {scopes.join(" ")}</span>}
      </p>
      {code !== null && (
        <p className="flex items-center gap-1">
          Code: <code data-testid="sign-in-code" className="font-mono text-lg select-text">{code}</code>
          <CopyButton icon what="the code" text={() => code} />
        </p>
      )}
      {address !== null && (
        <div className="flex items-start gap-1">
          <pre
            dir="ltr"
            role="region"
            aria-label="The whole address"
            // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- The Tab stop lets keyboard users scroll the URL.
            tabIndex={0}
            className="max-h-24 min-w-0 flex-1 overflow-auto rounded-sm border border-line bg-bg p-2 font-mono text-sm break-all whitespace-pre-wrap select-text"
          >
            {address}
          </pre>
          <CopyButton icon what="the address" text={() => address} />
        </div>
      )}
      {strays > 0 && (
        <p data-testid="sign-in-foreign" role="note" className="break-words">
          <Sign of="warning" className="text-warn me-1" />
          Ignored {counted(strays, { one: "response", other: "responses" })} from another sign-in
        </p>
      )}
      <div className="flex flex-wrap items-center gap-2">
        <Button look="accent" className="h-auto! min-h-7 max-w-full whitespace-normal break-all" onClick={onOpen}>Open {host} in the browser</Button>
        {code === null && offersCode && <Button onClick={onCode}>Use a code on another device</Button>}
        <span className="text-sm text-dim">Expires {toTheMinute(untilMs)}</span>
      </div>
      {code === null && <PasteForm onPaste={onPaste} />}
    </div>
  );
}

/**
 * A field for the redirect URL, for a sign-in in a browser on another computer, which can't open a URL of this
 * computer.
 */
function PasteForm({ onPaste }: { readonly onPaste: (answer: string) => void }) {
  const id = useId();
  const [answer, setAnswer] = useState("");
  const submit = (event: { readonly preventDefault: () => void }) => {
    event.preventDefault();
    if (answer.trim() !== "") onPaste(answer.trim());
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-1">
      <label htmlFor={id} className="text-sm text-dim">{"Signed in on another computer? Paste the address of its last page, which can't be reached."}</label>
      <div className="flex flex-wrap gap-2">
        <input
          id={id}
          value={answer}
          maxLength={16_384}
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => setAnswer(event.target.value)}
          className="h-7 min-w-0 flex-1 basis-64 rounded-sm border border-control bg-bg px-2"
        />
        <Button type="submit" unavailable={answer.trim() === "" ? "Paste the address first" : undefined}>Use address</Button>
      </div>
    </form>
  );
}

function Grant({ grant: { issuer, scopes, receivedAtMs, expiresAtMs, renews, client } }: { readonly grant: GrantView }) {
  const expires = expiresAtMs === null ? "Unknown" : toTheMinute(expiresAtMs);
  return (
    <dl className="flex flex-wrap gap-x-8 gap-y-2 select-text">
      <Fact name="Provider">{issuer ?? "The server itself"}</Fact>
      <Fact name="Scopes">{scopes.length > 0 ? scopes.join(" ") : "The server's default"}</Fact>
      <Fact name="Client">{CLIENTS[client]}</Fact>
      <Fact name="Since">{toTheMinute(receivedAtMs)}</Fact>
      <Fact name="Expires">{renews ? `${expires}, renewed automatically` : expires}</Fact>
    </dl>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-sm text-dim">{name}</dt>
      <dd className="break-words">{children}</dd>
    </div>
  );
}
