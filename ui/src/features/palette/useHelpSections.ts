import { useEffect, useMemo, useState } from "react";

import { useNavigation } from "../../lib/navigation/navigation";
import type { Section } from "../help/book";
import { NOTHING_FOUND, type Entry, type Found } from "./entry";
import { matchAll, wordsOf } from "./fuzzy";

/** Searches the headings of the guide and of the error list. Both are loaded on first use. */
export function useHelpSections(query: string, active: boolean): Found {
  const navigation = useNavigation();
  const [sections, setSections] = useState<readonly Section[] | null>(null);
  useEffect(() => {
    if (!active || sections !== null) return undefined;
    let wanted = true;
    import("../help/books")
      .then(({ ALL }) => ALL)
      // The Help page reports a failed load, so the palette just shows no sections.
      .catch((): readonly Section[] => [])
      .then(
        (all) => wanted && setSections(all),
        () => undefined,
      );
    return () => {
      wanted = false;
    };
  }, [active, sections]);
  return useMemo(() => {
    if (!active) return NOTHING_FOUND;
    const looked = wordsOf(query);
    const entries = (sections ?? []).flatMap((section): Entry[] => {
      const match = matchAll(looked, [{ text: section.title, weight: 1 }, { text: section.chapter, weight: 0.5 }]);
      if (!match) return [];
      const detail = section.opens ? "" : section.chapter;
      return [{ key: `section ${section.at}`, icon: "question", label: section.title, at: match.at, detail, score: match.score, choose: () => navigation.openHelp(section.at) }];
    });
    // With an empty query, the sections keep their order in the document.
    if (looked.length > 0) entries.sort((a, b) => b.score - a.score);
    return { sections: [{ title: "Help", entries }], waiting: sections === null, nothing: "No matching sections" };
  }, [active, navigation, query, sections]);
}
