/** The errors in the values of a form, and the way from the form to a call. */

import { useEffect, useLayoutEffect, useRef, useState } from "react";

import type { CheckedArguments } from "../../ipc/bindings";
import type { Draft } from "./model/draft";
import { toJsonText } from "./model/json";
import { isInside } from "./model/pointer";

export interface Problem {
  readonly pointer: string;
  readonly message: string;
}

/** Pause in the typing before the arguments are checked again. */
const REST_MS = 250;

interface Check {
  readonly problems: readonly Problem[];
  readonly notes: readonly string[];
  readonly checking: boolean;
  /** Makes the call. Only text that is not JSON, or a check that comes first, stops it. */
  readonly run: () => void;
  /** Makes the call without a check. Only text that is not JSON stops it. */
  readonly sendAnyway: () => void;
  readonly forget: () => void;
}

interface Found {
  readonly problems: readonly Problem[];
  readonly notes: readonly string[];
}

const NOTHING: Found = { problems: [], notes: [] };

interface Ways {
  readonly draft: Draft;
  readonly check: (text: string) => Promise<CheckedArguments>;
  readonly onRun: (text: string) => void;
  /** The errors for which the last call with these values was refused. */
  readonly refused?: readonly Problem[] | undefined;
  readonly onSendAnyway: (text: string) => void;
}

function messageOf(error: unknown): string {
  if (error instanceof Error) return error.message;
  if (typeof error === "object" && error !== null && "message" in error) return String(error.message);
  return String(error);
}

/** Asks the checker. A failed check becomes a problem, never an exception. */
async function ask(check: Ways["check"], text: string): Promise<Found> {
  try {
    const { errors, notes } = await check(text);
    return { problems: errors, notes };
  } catch (error) {
    const message = `The arguments could not be checked: ${messageOf(error)} They can be sent anyway.`;
    return { problems: [{ pointer: "", message }], notes: [] };
  }
}

/**
 * All problems of a draft. Unfinished JSON is checked as null, and the checker's messages about that place,
 * its contents and its ancestors are dropped.
 */
async function inspect(check: Ways["check"], draft: Draft): Promise<Found> {
  const written = toJsonText(draft);
  if ("ok" in written) return ask(check, written.ok);
  const { errors, rest } = written;
  if (errors.some(({ pointer }) => pointer === "")) return { problems: errors, notes: [] };
  const { problems, notes } = await ask(check, rest);
  const others = problems.filter(({ pointer }) =>
    errors.every((one) => !isInside(one.pointer, pointer) && !isInside(pointer, one.pointer)),
  );
  return { problems: [...errors, ...others], notes };
}

/** The check of a tool's form. A call is made without it, and is refused if its arguments do not fit. */
export function useCheck(ways: Ways): Check {
  return useChecked(ways, false);
}

/** The check of a form whose values are checked before they are used. */
export function useCheckFirst(ways: Ways): Check {
  return useChecked(ways, true);
}

function useChecked(ways: Ways, isFirst: boolean): Check {
  const { draft } = ways;
  const latest = useRef(ways);
  // Before anything else can ask for a call: an edit and a call may come in one moment.
  useLayoutEffect(() => {
    latest.current = ways;
  });
  const [found, setFound] = useState<Found>(NOTHING);
  const [checking, setChecking] = useState(false);
  /** From the first refused attempt on, the errors follow the typing. */
  const [following, setFollowing] = useState(false);
  /** Grows with each attempt and each reset; answers to older attempts are ignored. */
  const turn = useRef(0);

  if (!following && (ways.refused?.length ?? 0) > 0) setFollowing(true);
  useEffect(() => {
    if (!following) return undefined;
    let gone = false;
    const timer = setTimeout(() => {
      const mine = turn.current;
      void inspect(latest.current.check, draft).then((answer) => {
        if (!gone && mine === turn.current) setFound(answer);
      });
    }, REST_MS);
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [draft, following]);

  const refuse = (next: Found) => {
    setFound(next);
    setFollowing(true);
  };
  const run = () => {
    if (checking) return;
    const written = toJsonText(latest.current.draft);
    turn.current += 1;
    const mine = turn.current;
    if ("errors" in written) {
      refuse({ problems: written.errors, notes: [] });
      // Report all other problems too, not only after the first one is fixed.
      const checked = latest.current.draft;
      void inspect(latest.current.check, checked).then((answer) => {
        if (mine === turn.current && checked === latest.current.draft) setFound(answer);
      });
      return;
    }
    if (!isFirst) {
      setFound(NOTHING);
      setFollowing(false);
      latest.current.onRun(written.ok);
      return;
    }
    setChecking(true);
    void ask(latest.current.check, written.ok).then((answer) => {
      if (mine !== turn.current) return;
      setChecking(false);
      if (answer.problems.length > 0) {
        refuse(answer);
        return;
      }
      setFound(answer);
      setFollowing(false);
      latest.current.onRun(written.ok);
    });
  };
  const sendAnyway = () => {
    const written = toJsonText(latest.current.draft);
    if ("errors" in written) refuse({ problems: written.errors, notes: [] });
    else latest.current.onSendAnyway(written.ok);
  };
  const forget = () => {
    turn.current += 1;
    setFound(NOTHING);
    setChecking(false);
    setFollowing(false);
  };
  return { ...found, checking, run, sendAnyway, forget };
}

/** The messages at each place. */
export function messagesByPlace(problems: readonly Problem[]): ReadonlyMap<string, readonly string[]> {
  const places = new Map<string, string[]>();
  for (const { pointer, message } of problems) {
    const held = places.get(pointer);
    if (held === undefined) places.set(pointer, [message]);
    else if (!held.includes(message)) held.push(message);
  }
  return places;
}
