/**
 * The searches of the palette. The first character of the text selects one kind of results. Without it, all kinds
 * are searched.
 */
import { useActionList, type Action } from "../../lib/actions";
import { useHall } from "../../lib/hall/hall";
import { useNavigation, type Navigation } from "../../lib/navigation/navigation";
import { recentKey, useRecent, type Recent } from "../../lib/recent";
import type { MemberView } from "../../ipc/bindings";
import { useRosterPanel, type RosterPanel } from "../../lib/rosterPanel";
import { useStore } from "../../lib/store";
import type { SignName } from "../../components/signs";
import { faceOf } from "../../components/status";
import { counted } from "../../lib/format";
import { keyLabel } from "../../lib/keys/keyLabel";
import { actionIcon } from "./actionIcons";
import { matchingEntries, NOTHING_FOUND, type Entry, type Found } from "./entry";
import { wordsOf } from "./fuzzy";
import { usePaletteState } from "./paletteState";
import { prefixOf, type Prefix } from "./prefixes";
import { SYNONYMS } from "./synonyms";
import { useRecentBonus } from "./useRecentBonus";
import { useCalls, useSavedCalls } from "./useCalls";
import { useHelpSections } from "./useHelpSections";
import { useKnownOffers } from "./useKnownOffers";
import { useTools } from "./useTools";

/** The maximum number of recent items shown before the user types. */
const RECENT_MAX = 5;
/** The maximum number of results per kind when all kinds are searched. */
const SHOWN_MAX = 30;
/** The weight of a synonym, slightly less than that of the same word in a title. */
const SYNONYM_WEIGHT = 0.95;
/**
 * The minimum score per word of the query at which actions can come before other results. Such a score means that
 * the title, or a word in it, begins with the query's word.
 */
const STRONG = 540;
/** Subtracted from the score of an action that is unavailable, so that the action comes last. */
const UNAVAILABLE = 2_000;
/** Actions that open the palette. They are omitted, because the palette is open already. */
const OPENS_PALETTE: ReadonlySet<string> = new Set(["palette", "tools"]);

function Key({ keys }: { keys: string }) {
  return <kbd className="font-sans text-sm text-dim">{keyLabel(keys)}</kbd>;
}

function memberEntry({ navigation, roster }: { readonly navigation: Navigation; readonly roster: RosterPanel }, view: MemberView): Omit<Entry, "score" | "at"> {
  const { shape, colour, word } = faceOf(view.status);
  return {
    key: recentKey({ kind: "member", member: view.name }),
    icon: shape,
    iconColor: colour,
    label: view.name,
    detail: view.freshness === "unknown" ? "" : counted(view.tools, { one: "tool", other: "tools" }),
    end: () => <span className={view.status === "ready" ? "sr-only" : "text-sm text-dim"}>{word}</span>,
    choose: () => {
      navigation.openMember(view.name);
      roster.setExpanded(view.name, true);
    },
  };
}

function useMembers(query: string, active: boolean): Found {
  const hall = useHall();
  const navigation = useNavigation();
  const roster = useRosterPanel();
  const members = useStore(hall.state, (state) => state.members);
  const bonus = useRecentBonus();
  if (!active) return NOTHING_FOUND;
  const fieldsOf = ({ name, description }: MemberView) => [{ text: name, weight: 1 }, { text: description, weight: 0.5 }];
  const entries = matchingEntries(query, members, fieldsOf, (view, { at, score }) => {
    const entry = memberEntry({ navigation, roster }, view);
    return { ...entry, at, score: score + bonus(entry.key) };
  });
  return {
    sections: [{ title: "Members", entries }],
    waiting: false,
    nothing: members.length === 0 ? "No members yet" : "No matching members",
  };
}

function actionEntry(recent: Recent, action: Action): Omit<Entry, "score" | "at"> {
  const { id, title, keys, unavailable, run } = action;
  return {
    key: recentKey({ kind: "action", action: id }),
    icon: actionIcon(action),
    label: title,
    detail: "",
    ...(keys !== undefined && { end: () => <Key keys={keys} /> }),
    unavailable,
    choose: () => {
      recent.note({ kind: "action", action: id });
      run();
    },
  };
}

function useActions(query: string, active: boolean): Found {
  const actions = useActionList();
  const recent = useRecent();
  const bonus = useRecentBonus();
  if (!active) return NOTHING_FOUND;
  const offered = actions.all().filter(({ id }) => !OPENS_PALETTE.has(id));
  const fieldsOf = ({ id, title, group }: Action) => [
    { text: title, weight: 1 },
    { text: group, weight: 0.5 },
    ...(SYNONYMS[id] ?? []).map((text) => ({ text, weight: SYNONYM_WEIGHT })),
  ];
  const entries = matchingEntries(query, offered, fieldsOf, (action, { at, score }) => {
    const entry = actionEntry(recent, action);
    return { ...entry, at, score: score + bonus(entry.key) - (action.unavailable === undefined ? 0 : UNAVAILABLE) };
  });
  return { sections: [{ title: "Actions", entries }], waiting: false, nothing: "No matching actions" };
}

/** The meaning of each prefix, as the help for `?` lists it. */
const WAYS: readonly { prefix: Exclude<Prefix, "?"> | ""; icon: SignName; name: string }[] = [
  { prefix: "", icon: "search", name: "tools, members and actions" },
  { prefix: "/", icon: "wrench", name: "tools" },
  { prefix: "@", icon: "plug", name: "members" },
  { prefix: ">", icon: "play", name: "actions" },
  { prefix: "#", icon: "history", name: "history and saved calls" },
];

function useHelp(query: string, active: boolean): Found {
  const actions = useActionList();
  const palette = usePaletteState();
  const recent = useRecent();
  const written = useHelpSections(query, active);
  if (!active) return NOTHING_FOUND;
  const ways = matchingEntries(query, WAYS, ({ name }) => [{ text: name, weight: 1 }], ({ prefix, icon, name }, match) => ({
    key: `help ${prefix}`,
    icon,
    label: name,
    detail: prefix === "" ? "start with anything else" : `start with ${prefix}`,
    goOn: prefix,
    choose: () => palette.open(prefix),
    ...match,
  }));
  const sheet = actions.all().filter(({ id }) => id === "keys");
  const shortcuts = matchingEntries(query, sheet, ({ title }) => [{ text: title, weight: 1 }], (action, match) => ({ ...actionEntry(recent, action), ...match }));
  return {
    sections: [
      { title: "Search for", entries: ways },
      { title: "Keyboard shortcuts", entries: shortcuts },
      ...written.sections,
    ],
    waiting: written.waiting,
    nothing: written.nothing,
  };
}

/** The results for a text, of the kind that its prefix selects or of all kinds. */
export function useFound(text: string): Found {
  const recent = useRecent();
  const only = prefixOf(text);
  const query = text.slice(only.length);
  const every = only === "";
  const tools = useTools(query, every || only === "/");
  const members = useMembers(query, every || only === "@");
  const actions = useActions(query, every || only === ">");
  const calls = useCalls(query, only === "#");
  const saved = useSavedCalls(query, every && query.trim() !== "");
  const offers = useKnownOffers(query, every && query.trim() !== "");
  const help = useHelp(query, only === "?");
  if (!every) {
    const found: Record<Prefix, Found> = { "/": tools, "@": members, ">": actions, "#": calls, "?": help };
    return found[only];
  }
  if (query.trim() === "") return beforeTyping(recent, [tools, members], actions);
  return {
    sections: shortened(actionsFirst(query, [tools, members, saved, offers].flatMap(({ sections }) => sections), actions.sections)),
    waiting: tools.waiting,
    nothing: "No results",
  };
}

/**
 * Puts the actions before the other results if the actions match well and better than all other results. Otherwise the
 * actions come last.
 */
function actionsFirst(query: string, things: Found["sections"], actions: Found["sections"]): Found["sections"] {
  const best = (sections: Found["sections"]) => Math.max(-Infinity, ...sections.map(({ entries }) => entries[0]?.score ?? -Infinity));
  const score = best(actions);
  const first = score >= STRONG * wordsOf(query).length && score > best(things);
  return first ? [...actions, ...things] : [...things, ...actions];
}

/**
 * The entries before the user types: recent items, then actions. Tools are left out, because the long list would
 * push actions out of view.
 */
function beforeTyping(recent: Recent, things: readonly Found[], actions: Found): Found {
  const all = [...things, actions].flatMap(({ sections }) => sections.flatMap(({ entries }) => entries));
  const byKey = new Map(all.map((entry) => [entry.key, entry]));
  const used = recent.keys
    .get()
    .flatMap((key) => byKey.get(key) ?? [])
    .slice(0, RECENT_MAX);
  const shown = new Set(used.map(({ key }) => key));
  const rest = actions.sections.map(({ title, entries }) => ({ title, entries: entries.filter(({ key }) => !shown.has(key)) }));
  return { sections: [{ title: "Recent", entries: used }, ...rest], waiting: false, nothing: "" };
}

function shortened(sections: Found["sections"]): Found["sections"] {
  return sections.map(({ title, entries }) => ({ title, entries: entries.slice(0, SHOWN_MAX) }));
}
