import { useId, useLayoutEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";

import type { CheckedArguments } from "../../ipc/bindings";
import { asRefusal } from "../../ipc/bridge";
import { idFrom } from "./commands";
import type { Draft } from "./model/draft";
import type { FormNode } from "./model/node";
import { shownPlace } from "./model/places";
import { keysOf } from "./model/pointer";

/** The state of a form in a panel: its open places, and the place that has the focus after a problem. */
export function useFormState(node: FormNode, draft: Draft, asJson: ReadonlySet<string>, setWhole: (whole: boolean) => void) {
  const prefix = useId().replace(/[^A-Za-z0-9]/g, "");
  const body = useRef<HTMLDivElement>(null);
  const [chosen, setChosen] = useState<ReadonlyMap<string, boolean>>(new Map());
  const [revealed, setRevealed] = useState<string | null>(null);
  /** The ids of elements of which the first that exists gets the focus once they are drawn. */
  const [focused, focusDrawn] = useState<readonly string[] | null>(null);
  useLayoutEffect(() => {
    if (focused === null) return;
    const target = focused.map((id) => document.getElementById(id)).find((one) => one !== null) ?? body.current;
    target?.scrollIntoView({ block: "center" });
    target?.focus();
  }, [focused]);
  /** Commits the text that a control holds until its blur. Returns whether the focus is in the panel. */
  const commit = (): boolean => {
    const panel = body.current;
    const focused = document.activeElement;
    if (panel === null || !(focused instanceof HTMLElement) || !panel.contains(focused)) return false;
    flushSync(() => focused.blur());
    // A control that is only there while it is used has gone with its focus.
    (focused.isConnected ? focused : panel).focus({ preventScroll: true });
    return true;
  };
  /** Shows a place as a field and focuses it. */
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

/** The result of a check that failed. */
export function unchecked(reason: unknown): CheckedArguments {
  return { errors: [{ pointer: "", message: asRefusal(reason).report.message, keyword: "" }], notes: [] };
}
