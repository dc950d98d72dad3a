import { useId, useRef, useState } from "react";
import { flushSync } from "react-dom";

import type { CheckedArguments } from "../../ipc/bindings";
import { asRefusal } from "../../ipc/bridge";
import { idFrom } from "../form/desk";
import type { Draft } from "../form/model/draft";
import type { FormNode } from "../form/model/node";
import { shownPlace } from "../form/model/places";
import { keysOf } from "../form/model/pointer";
import { drawNow } from "../../lib/drawNow";

/** The state of a form in a panel: its open places, and the place that has the focus after a problem. */
export function useFormState(node: FormNode, draft: Draft, asJson: ReadonlySet<string>, setWhole: (whole: boolean) => void) {
  const prefix = useId().replace(/[^A-Za-z0-9]/g, "");
  const body = useRef<HTMLDivElement>(null);
  const [chosen, setChosen] = useState<ReadonlyMap<string, boolean>>(new Map());
  const [revealed, setRevealed] = useState<string | null>(null);
  /** Commits the text that a control holds until its blur. */
  const commit = () => {
    const focused = document.activeElement;
    if (focused instanceof HTMLElement && body.current?.contains(focused)) {
      flushSync(() => focused.blur());
      (focused.isConnected ? focused : body.current).focus({ preventScroll: true });
    }
  };
  const jump = (place: string) => {
    const pointer = shownPlace(node, draft, place, asJson);
    setWhole(false);
    setRevealed(pointer);
    const ways = keysOf(pointer).map((_, index) => pointer.split("/").slice(0, index + 1).join("/"));
    setChosen((held) => new Map([...held, ...ways.map((one) => [one, true] as const)]));
    drawNow();
    const target = document.getElementById(idFrom(prefix, pointer)) ?? body.current;
    target?.scrollIntoView({ block: "center" });
    target?.focus();
  };
  return { body, commit, jump, fields: { prefix, chosen, setChosen, revealed } };
}

/** The result of a check that failed. */
export function unchecked(reason: unknown): CheckedArguments {
  return { errors: [{ pointer: "", message: asRefusal(reason).report.message, keyword: "" }], notes: [] };
}
