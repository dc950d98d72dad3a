import { useEffect, useState } from "react";

import type { HistoryEntry, HistoryPage, SavedCall } from "../../ipc/bindings";
import { asRefusal } from "../../ipc/bridge";
import { useHall } from "../../lib/hall/hall";
import { useLayers, type Layers } from "../../lib/layers";
import { useNavigation, type Navigation } from "../../lib/navigation/navigation";
import { openCall, useCallHistory, type CallHistory } from "../history/callHistory";
import { NO_FILTER } from "../history/filter";
import { entryFace } from "../history/outcome";
import { openSaved } from "../history/runAgain";
import { useSaved } from "../history/useSaved";
import { ago } from "../../lib/time";
import { useWorkbench } from "../tool/workbench";
import { matchingEntries, NOTHING_FOUND, type Entry, type Found } from "./entry";

const REST_MS = 80;
/** The maximum number of calls per search. Users can narrow the search to find other calls. */
const LIMIT = 50;

interface Answer {
  query: string;
  page: HistoryPage;
  /** The time at which the response arrived, from which the age of each call is computed. */
  nowMs: number;
}

/** The stores that are needed to open a past call. */
interface CallStores {
  readonly history: CallHistory;
  readonly layers: Layers;
  readonly navigation: Navigation;
}

function callEntry({ history, layers, navigation }: CallStores, entry: HistoryEntry, nowMs: number): Entry {
  const face = entryFace(entry);
  return {
    key: `call ${entry.id}`,
    icon: face.shape,
    iconColor: face.colour,
    label: entry.tool,
    at: [],
    detail: `${entry.member} · ${entry.summary}`,
    score: 0,
    end: () => <span className="text-sm whitespace-nowrap text-dim">{face.word} · {ago(entry.atMs, nowMs)}</span>,
    choose: () => {
      layers.uncover();
      openCall({ history, navigation }, entry.id);
    },
  };
}

/** Searches the saved calls by name, tool and member. */
export function useSavedCalls(query: string, active: boolean): Found {
  const bench = useWorkbench();
  const navigation = useNavigation();
  const saved = useSaved(null, null, active);
  if (!active) return NOTHING_FOUND;
  const fieldsOf = ({ name, tool, member }: SavedCall) => [{ text: name, weight: 1 }, { text: tool, weight: 0.5 }, { text: member, weight: 0.5 }];
  const entries = matchingEntries(query, saved?.calls ?? [], fieldsOf, (call, match) => ({
    key: `saved ${call.id}`,
    icon: "bookmark",
    label: call.name,
    detail: `${call.member} › ${call.tool}`,
    choose: () => openSaved({ bench, navigation }, call),
    ...match,
  }));
  return {
    sections: [{ title: "Saved calls", entries }],
    waiting: saved === null,
    nothing: "No matching saved calls",
  };
}

/** Searches past calls, newest first. With an empty query, returns the latest calls. */
export function useCalls(query: string, active: boolean): Found {
  const hall = useHall();
  const history = useCallHistory();
  const layers = useLayers();
  const navigation = useNavigation();
  const text = query.trim();
  const [answer, setAnswer] = useState<Answer | null>(null);
  useEffect(() => {
    if (!active) return undefined;
    let wanted = true;
    const timer = setTimeout(
      () => {
        hall
          .ask("search_history", { filter: { ...NO_FILTER, text: text === "" ? null : text }, before: null, limit: LIMIT })
          .catch((reason: unknown): HistoryPage => ({ entries: [], more: false, trouble: asRefusal(reason).report }))
          .then(
            (page) => wanted && setAnswer({ query: text, page, nowMs: Date.now() }),
            () => undefined,
          );
      },
      text === "" ? 0 : REST_MS,
    );
    return () => {
      wanted = false;
      clearTimeout(timer);
    };
  }, [active, hall, text]);

  const saved = useSavedCalls(query, active);
  if (!active) return NOTHING_FOUND;
  const entries = (answer?.page.entries ?? []).map((entry) => callEntry({ history, layers, navigation }, entry, answer?.nowMs ?? 0));
  const waiting = answer?.query !== text;
  const trouble = answer?.page.trouble;
  const nothing = text === "" ? "No calls yet" : "No matching calls";
  return {
    sections: [...saved.sections, { title: "History", entries }],
    waiting: waiting || saved.waiting,
    nothing: trouble ? trouble.message : nothing,
  };
}
