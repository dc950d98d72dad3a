/**
 * An app of a member beside the result of its tool. The app runs in a sandboxed frame with a separate origin. This
 * module contains the protocol of apps, so it is imported lazily.
 */
import { buildAllowAttribute } from "@modelcontextprotocol/ext-apps/app-bridge";
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";

import type { CallEnd, CallOutcome, ToolName } from "../../ipc/bindings";
import { asRefusal } from "../../ipc/bridge";
import type { OpenedApp } from "../../ipc/outside";
import { AskFirst } from "../../components/AskFirst";
import { Button } from "../../components/Button";
import { Sign } from "../../components/Icon";
import { Reading } from "../../components/Reading";
import { newCallId } from "../../lib/callId";
import { useDesktop } from "../../lib/desktop";
import { useHall } from "../../lib/hall/hall";
import { useNavigation } from "../../lib/navigation/navigation";
import { useStore } from "../../lib/store";
import { lookOf, theme } from "../../lib/theme/theme";
import { readAddress } from "../elicitation/address";
import { ConfirmSend } from "../tool/ConfirmSend";
import { useToolPageState } from "../tool/pageState";
import { type ConnectedApp, connectApp } from "./appHost";

/** The height of a frame before its app has reported one, in pixels. */
const FIRST_HEIGHT = 240;
/** The time in milliseconds within which an app has to connect. */
const START_MS = 20_000;
/** The limit of a web address, in characters. The shell has the same limit. */
const ADDRESS_MAX = 2_048;

/** The names of the permissions that an app may request. */
const PERMISSIONS: Readonly<Record<string, string>> = {
  camera: "camera",
  microphone: "microphone",
  geolocation: "location",
  clipboardWrite: "writing to the clipboard",
};

interface Props {
  readonly outcome: CallOutcome;
  /** The sent arguments as JSON text. */
  readonly args: string;
}

export default function AppView({ outcome, args }: Props) {
  const { member, tool } = outcome;
  const { openApp } = useDesktop();
  const [attempt, setAttempt] = useState(0);
  const [opened, setOpened] = useState<OpenedApp | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [allowed, setAllowed] = useState(false);
  const leave = useRef<() => Promise<void>>(() => Promise.resolve());
  useEffect(() => {
    let isOver = false;
    const show = (set: () => void) => {
      if (!isOver) set();
    };
    openApp?.({ member, tool }).then(
      (app) => show(() => setOpened(app)),
      (reason: unknown) => show(() => setProblem(asRefusal(reason).report.message)),
    );
    return () => {
      isOver = true;
    };
  }, [openApp, member, tool, attempt]);
  const reload = async (allow: boolean) => {
    await leave.current();
    setAllowed(allow);
    setOpened(null);
    setProblem(null);
    setAttempt(attempt + 1);
  };
  const fail = useCallback((reason: string) => setProblem(reason), []);
  const asked = opened?.permissions.map((name) => PERMISSIONS[name] ?? name) ?? [];
  return (
    <div className="flex flex-col gap-3">
      <div data-testid="app-source" className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-dim">
        <p className="min-w-0 flex-1 break-words">
          App from <bdi className="font-medium text-text">{member}</bdi>.{" "}
          {opened !== null && (opened.domains.length === 0 ? "No network access." : <>Can contact <bdi>{opened.domains.join(", ")}</bdi>.</>)}
        </p>
        <Button look="quiet" onClick={() => void reload(allowed)}>Reload app</Button>
      </div>
      {asked.length > 0 && !allowed && problem === null && (
        <div className="flex flex-wrap items-center gap-2 rounded-md bg-warn-fill px-3 py-1.5">
          <p className="min-w-0 flex-1 break-words">The app asks for: {asked.join(", ")}</p>
          <Button onClick={() => void reload(true)}>Allow and reload</Button>
        </div>
      )}
      {problem !== null ? (
        <p role="alert" data-testid="app-problem" className="rounded-md border border-bad bg-bad-fill px-3 py-2 break-words">
          <Sign of="cross" className="text-bad me-1" />
          The app was closed. {problem}
        </p>
      ) : opened === null ? (
        <Reading what="the app" />
      ) : (
        <AppFrame key={opened.address} {...{ opened, outcome, args, allowed, leave }} onFail={fail} />
      )}
    </div>
  );
}

/** A question to the user about a request of the app. */
type Question =
  | { readonly kind: "call"; readonly tool: ToolName; readonly text: string; readonly answer: (yes: boolean) => void }
  | { readonly kind: "link"; readonly address: string; readonly answer: (yes: boolean) => void };

interface FrameProps extends Props {
  readonly opened: OpenedApp;
  readonly allowed: boolean;
  /** Receives the function that asks the app to finish and then disconnects it. */
  readonly leave: { current: () => Promise<void> };
  readonly onFail: (reason: string) => void;
}

function AppFrame({ opened, outcome, args, allowed, leave, onFail }: FrameProps) {
  const { member } = outcome;
  const hall = useHall();
  const desktop = useDesktop();
  const navigation = useNavigation();
  const pageState = useToolPageState();
  const frame = useRef<HTMLIFrameElement>(null);
  const app = useRef<ConnectedApp>(null);
  const loads = useRef(0);
  const [height, setHeight] = useState(FIRST_HEIGHT);
  const [message, setMessage] = useState("");
  const [question, setQuestion] = useState<Question | null>(null);
  const isAsking = useRef(false);
  const look = lookOf(useStore(theme, (choice) => choice)).theme;

  useLayoutEffect(() => {
    const target = frame.current?.contentWindow;
    if (!target) return;
    let timer: ReturnType<typeof setTimeout> | null = setTimeout(() => onFail(`It did not connect within ${START_MS / 1_000} s.`), START_MS);
    const connected = () => {
      if (timer !== null) clearTimeout(timer);
      timer = null;
    };
    const ask = (pose: (answer: (yes: boolean) => void) => Question): Promise<boolean> => {
      // An app can ask only one question at a time, so that it can't cover the window with questions.
      if (isAsking.current) return Promise.resolve(false);
      isAsking.current = true;
      return new Promise((resolve) => {
        const answer = (yes: boolean) => {
          isAsking.current = false;
          setQuestion(null);
          resolve(yes);
        };
        setQuestion(pose(answer));
      });
    };
    const call = async (tool: string, text: string): Promise<CallEnd> => {
      try {
        const { summary } = await hall.ask("tool_detail", { member, tool });
        const key = `app ${member}/${tool}`;
        if (summary.hints.destructive === true && !pageState.trusted.get().has(key)) {
          const yes = await ask((answer) => ({ kind: "call", tool, text, answer }));
          if (!yes) throw new Error("The user declined the call.");
        }
        const { end } = await hall.ask("invoke_tool_for_app", { call: newCallId(), member, tool, arguments: text, check: "refuse", timeoutMs: null });
        return end;
      } catch (reason) {
        throw reason instanceof Error ? reason : asRefusal(reason);
      }
    };
    const connection = connectApp({
      frame: target,
      origin: opened.origin,
      arguments: args,
      result: outcome.end.kind === "result" ? outcome.end.result : "{}",
      context: { theme: look, locale: navigator.language, timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone, displayMode: "inline", availableDisplayModes: ["inline"], platform: "desktop" },
      onReady: connected,
      onHeight: setHeight,
      onMessage: setMessage,
      onFail,
      call,
      read: async (uri) => (await hall.ask("read_resource", { call: newCallId(), member, uri, timeoutMs: null })).end,
      openLink: async (address) => {
        if (!/^https?:\/\//i.test(address) || address.length > ADDRESS_MAX || readAddress(address).goesTo === null) return false;
        if (!(await ask((answer) => ({ kind: "link", address, answer })))) return false;
        return desktop.open?.({ kind: "address", address }).then(() => true, () => false) ?? false;
      },
    });
    app.current = connection;
    leave.current = connection.leave;
    navigation.leaving.add(connection.leave);
    return () => {
      connected();
      navigation.leaving.delete(connection.leave);
      leave.current = () => Promise.resolve();
      app.current = null;
      connection.drop();
    };
    // The call, its result and the app do not change while the frame exists. The theme has its own effect.
    // oxlint-disable-next-line react/exhaustive-deps
  }, []);
  useEffect(() => app.current?.update({ theme: look }), [look]);

  const permissions = allowed ? Object.fromEntries(opened.permissions.map((name) => [name, {}])) : {};
  return (
    <>
      {message !== "" && (
        <p data-testid="app-message" role="status" className="rounded-md border border-line px-3 py-1.5 break-words whitespace-pre-wrap">
          <span className="text-dim">The app sent a message for an agent, and no agent is connected to it: </span>
          <bdi>{message}</bdi>
        </p>
      )}
      <div className="shrink-0 overflow-hidden rounded-md border border-line">
        <iframe
          ref={frame}
          data-testid="app-frame"
          // oxlint-disable-next-line react/forbid-dom-props -- the name of a frame for screen readers
          title={`App from ${member}`}
          src={opened.address}
          sandbox="allow-scripts allow-same-origin"
          allow={buildAllowAttribute(permissions)}
          referrerPolicy="no-referrer"
          // The frame may load only the app that the user opened. If a second page loads, the app is closed.
          onLoad={() => {
            loads.current += 1;
            if (loads.current > 1) onFail("It tried to open another page in its place.");
          }}
          className="block w-full"
          style={{ height }}
        />
      </div>
      {question?.kind === "call" && (
        <ConfirmSend
          member={member}
          tool={question.tool}
          by={`the app from ${member}`}
          asked={{ text: question.text, check: "refuse", timeoutMs: null }}
          onSend={(always) => {
            if (always) pageState.trust(`app ${member}/${question.tool}`);
            question.answer(true);
          }}
          onLeave={() => question.answer(false)}
        />
      )}
      {question?.kind === "link" && (
        <AskFirst
          title="Open this web page?"
          does="Open page"
          keep="Cancel"
          returnTo={frame}
          onClose={() => question.answer(false)}
          onDo={() => {
            question.answer(true);
            return Promise.resolve(null);
          }}
        >
          <LinkAddress address={question.address} member={member} />
        </AskFirst>
      )}
    </>
  );
}

function LinkAddress({ address, member }: { address: string; member: string }) {
  const { before, host, after, warnings } = readAddress(address);
  return (
    <>
      The app from <bdi>{member}</bdi> wants to open this address in your browser:
      <bdi dir="ltr" data-testid="app-address" className="mt-2 block max-h-40 overflow-y-auto font-mono text-sm break-all">
        {before}<strong className="font-bold text-text">{host}</strong>{after}
      </bdi>
      {warnings.map((warning) => (
        <span key={warning} className="mt-1 block break-words text-text"><Sign of="warning" className="text-warn me-1" />{warning}</span>
      ))}
    </>
  );
}
