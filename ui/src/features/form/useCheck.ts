/** The validation of a form: which problems are shown, and whether pressing Run makes a call. */

import { useEffect, useLayoutEffect, useRef, useState } from "react";

import type { CheckedArguments } from "../../ipc/bindings";
import type { Draft } from "./model/draft";
import { toJsonText } from "./model/json";
import { isInside } from "./model/pointer";

export interface Problem {
  readonly pointer: string;
  readonly message: string;
}

/** Pause after the last key press before the arguments are validated again, in milliseconds. */
const REST_MS = 250;

interface Check {
  readonly problems: readonly Problem[];
  readonly notes: readonly string[];
  readonly checking: boolean;
  /** Makes the call, unless the JSON is invalid or, with `useCheckFirst`, the validation finds errors. */
  readonly run: () => void;
  /** Makes the call without validation, unless the JSON is invalid. */
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
  /** The validation errors with which Rust rejected the last call with these values. */
  readonly refused?: readonly Problem[] | undefined;
  readonly onSendAnyway: (text: string) => void;
}

function messageOf(error: unknown): string {
  if (error instanceof Error) return error.message;
  if (typeof error === "object" && error !== null && "message" in error) return String(error.message);
  return String(error);
}

/** Validates arguments in Rust. Never rejects: if the request fails, its error message becomes a problem. */
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
 * Collects all problems of a draft. Values that are not valid JSON yet are validated as null; the validation's
 * messages about such a value, its descendants and its ancestors are dropped.
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

/** Validation for a tool's form. Run makes the call at once, and Rust rejects the call if its arguments are invalid. */
export function useCheck(ways: Ways): Check {
  return useChecked(ways, false);
}

/** Validation for a form whose values are validated before `onRun` is called. */
export function useCheckFirst(ways: Ways): Check {
  return useChecked(ways, true);
}

function useChecked(ways: Ways, isFirst: boolean): Check {
  const { draft } = ways;
  const latest = useRef(ways);
  // This is a layout effect, because an edit and a call may come from the same event, before passive effects run.
  useLayoutEffect(() => {
    latest.current = ways;
  });
  const [found, setFound] = useState<Found>(NOTHING);
  const [checking, setChecking] = useState(false);
  /** Whether values are validated after each change. Starts with the first rejected attempt. */
  const [following, setFollowing] = useState(false);
  /** Counts attempts and resets. Validation results of older attempts are ignored. */
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
      // Validate the other values too, so that all problems are shown at once.
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

/** Groups problem messages by JSON Pointer. */
export function messagesByPlace(problems: readonly Problem[]): ReadonlyMap<string, readonly string[]> {
  const places = new Map<string, string[]>();
  for (const { pointer, message } of problems) {
    const held = places.get(pointer);
    if (held === undefined) places.set(pointer, [message]);
    else if (!held.includes(message)) held.push(message);
  }
  return places;
}
