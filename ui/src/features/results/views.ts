/** Which way of looking at a part a person chose, remembered per tool and part. */

import { useState } from "react";

const KEY = "guild-hall.views";
/** The choices kept; the ones not made for longest go first. */
const KEPT = 300;

function stored(): [string, string][] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    if (!Array.isArray(kept)) return [];
    return kept.filter(
      (one): one is [string, string] =>
        Array.isArray(one) && one.length === 2 && typeof one[0] === "string" && typeof one[1] === "string",
    );
  } catch {
    return [];
  }
}

function remember(place: string, view: string): void {
  const kept = stored().filter(([other]) => other !== place);
  try {
    localStorage.setItem(KEY, JSON.stringify([...kept, [place, view]].slice(-KEPT)));
  } catch {
    // Storage may be switched off or full; the choice then lasts as long as the result is shown.
  }
}

/** One of `views`: the one chosen last time at this place, else `first`. */
export function useView<V extends string>(place: string, views: readonly V[], first = views[0]): [V, (view: V) => void] {
  const [chosen, setChosen] = useState<string | undefined>(() => stored().find(([other]) => other === place)?.[1]);
  const view = views.find((one) => one === chosen) ?? first;
  if (view === undefined) throw new Error("a part has no view");
  return [
    view,
    (next) => {
      setChosen(next);
      remember(place, next);
    },
  ];
}
