import { useDeferredValue, useEffect, useMemo } from "react";

import { useNavigation, type Navigation } from "../../lib/navigation/navigation";
import { recentKey } from "../../lib/recent";
import type { MemberName, MemberView, ToolSummary } from "../../ipc/bindings";
import { type ToolList, useHall } from "../../lib/hall/hall";
import { useStore } from "../../lib/store";
import { HintMarks } from "../../components/HintMarks";
import { useSearch } from "../roster/useSearch";
import { number } from "../../lib/format";
import { NOTHING_FOUND, type Entry, type Found, type Section } from "./entry";
import { matchAll, matchForgiving, matchWord, wordsOf, type Match } from "./fuzzy";
import { useRecentBonus } from "./useRecentBonus";

/** If fewer tools than this match, tools that match with one wrong letter are added. */
const FEW = 5;
/** The maximum number of tools that match only by their description. They follow the tools that match by name. */
const DESCRIBED_MAX = 50;

/** The tools in all loaded lists, whether or not their members run. */
function toolsOf(members: readonly MemberView[], lists: ReadonlyMap<MemberName, ToolList>): ToolSummary[] {
  return members.flatMap(({ name }) => [...(lists.get(name)?.tools?.tools ?? [])]);
}

function toolKey(tool: ToolSummary): string {
  return recentKey({ kind: "tool", member: tool.member, tool: tool.name });
}

function entryOf(navigation: Navigation, tool: ToolSummary, match: Match): Entry {
  return {
    key: toolKey(tool),
    icon: "wrench",
    label: tool.name,
    at: match.at,
    detail: tool.title === null || tool.title === tool.name ? tool.member : `${tool.member} · ${tool.title}`,
    end: () => <HintMarks hints={tool.hints} />,
    score: match.score,
    choose: () => navigation.fillTool(tool.member, tool.name),
  };
}

function fieldsOf(tool: ToolSummary) {
  return [
    { text: tool.name, weight: 1 },
    { text: tool.title ?? "", weight: 0.7 },
    { text: tool.member, weight: 0.5 },
  ];
}

/** Searches tools by name, and lists tools with a matching description after them. */
export function useTools(query: string, active: boolean): Found {
  const hall = useHall();
  const navigation = useNavigation();
  const members = useStore(hall.state, (state) => state.members);
  const lists = useDeferredValue(useStore(hall.lists, (all) => all));
  const bonus = useRecentBonus();
  const described = useSearch(hall, active ? query : "");

  // Loads the tool lists that the engine has stored, so no member has to run.
  const names = members.map(({ name }) => name).join("\n");
  useEffect(() => {
    if (!active) return;
    const ends = names.split("\n").filter(Boolean).map((name) => hall.watch(name));
    return () => {
      for (const end of ends) end();
    };
  }, [active, hall, names]);

  const tools = useMemo(() => toolsOf(members, lists), [members, lists]);
  const called = useMemo(() => {
    if (!active) return [];
    const wanted = wordsOf(query);
    const look = (matchOne: typeof matchWord) =>
      tools.flatMap((tool) => {
        const match = matchAll(wanted, fieldsOf(tool), matchOne);
        return match ? [entryOf(navigation, tool, { ...match, score: match.score + bonus(toolKey(tool)) })] : [];
      });
    const right = look(matchWord);
    const all = right.length < FEW && wanted.length > 0 ? [...right, ...look(matchForgiving)] : right;
    const seen = new Set<string>();
    return all
      .filter(({ key }) => !seen.has(key) && seen.add(key))
      .sort((a, b) => b.score - a.score);
  }, [active, bonus, navigation, query, tools]);

  if (!active) return NOTHING_FOUND;
  const known = new Set(called.map(({ key }) => key));
  const more = (described?.query === query.trim() ? described.found.tools : [])
    .filter((tool) => !known.has(toolKey(tool)))
    .slice(0, DESCRIBED_MAX)
    .map((tool) => entryOf(navigation, tool, { score: 0, at: [] }));
  const reading = members.some(({ name }) => !lists.has(name));
  const searching = query.trim() !== "" && described?.query !== query.trim();
  const sections: Section[] = [
    { title: `Tools (${number(called.length)})`, entries: called },
    { title: "Tools with matching descriptions", entries: more },
  ];
  return {
    sections,
    // Enter waits for the search in descriptions only if no name matches, because matches by name come first.
    waiting: reading || (searching && called.length === 0),
    nothing: members.length === 0 ? "No members yet" : "No matching tools",
  };
}
