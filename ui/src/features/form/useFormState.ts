import { useId, useLayoutEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";

import type { CheckedArguments } from "../../ipc/bindings";
import { asRefusal } from "../../ipc/bridge";
import { idFrom } from "./commands";
import type { Draft } from "./model/draft";
import type { FormNode } from "./model/node";
import { shownPlace } from "./model/places";
import { keysOf } from "./model/pointer";

/** The state of a form that is not its value: expanded groups, the revealed field, and pending focus. */
export function useFormState(node: FormNode, draft: Draft, asJson: ReadonlySet<string>, setWhole: (whole: boolean) => void) {
  const prefix = useId().replace(/[^A-Za-z0-9]/g, "");
  const body = useRef<HTMLDivElement>(null);
  const [chosen, setChosen] = useState<ReadonlyMap<string, boolean>>(new Map());
  const [revealed, setRevealed] = useState<string | null>(null);
  /** The ids of elements. After the next render, the first element that exists gets the focus. */
  const [focused, focusDrawn] = useState<readonly string[] | null>(null);
  useLayoutEffect(() => {
    if (focused === null) return;
    const target = focused.map((id) => document.getElementById(id)).find((one) => one !== null) ?? body.current;
    target?.scrollIntoView({ block: "center" });
    target?.focus();
  }, [focused]);
  /** Blurs and refocuses the focused control to commit its text. Returns whether the focus was in the form. */
  const commit = (): boolean => {
    const panel = body.current;
    const focused = document.activeElement;
    if (panel === null || !(focused instanceof HTMLElement) || !panel.contains(focused)) return false;
    flushSync(() => focused.blur());
    // Some controls are removed when they lose the focus. The panel gets the focus in this case.
    (focused.isConnected ? focused : panel).focus({ preventScroll: true });
    return true;
  };
  /** Switches to the Form tab, and reveals and focuses the field at a pointer. */
  const jump = (place: string) => {
    const pointer = shownPlace(node, draft, place, asJson);
    setWhole(false);
    setRevealed(pointer);
    const ancestors = keysOf(pointer).map((_, index) => pointer.split("/").slice(0, index + 1).join("/"));
    setChosen((held) => new Map([...held, ...ancestors.map((one) => [one, true] as const)]));
    const id = idFrom(prefix, pointer);
    focusDrawn([id, `${id}-variant`]);
  };
  return { body, commit, jump, focusDrawn, fields: { prefix, chosen, setChosen, revealed } };
}

/** The result of a validation request that failed: its message as a problem of the whole arguments. */
export function unchecked(reason: unknown): CheckedArguments {
  return { errors: [{ pointer: "", message: asRefusal(reason).report.message, keyword: "" }], notes: [] };
}
