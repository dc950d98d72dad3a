/** Stores the view that the user selected for each result part, by tool and part. */

import { useState } from "react";

const KEY = "guild-hall.views";
/** The maximum number of stored choices. The oldest ones are dropped. */
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
    // Storage may be disabled or full. The choice then lasts as long as the result is shown.
  }
}

/** The selected view: the one stored under the key `place`, or else `first`. */
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
