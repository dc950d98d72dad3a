import { useEffect, useMemo, useState } from "react";

import { useNavigation } from "../../lib/navigation/navigation";
import type { Section } from "../help/book";
import { matchingEntries, NOTHING_FOUND, type Found } from "./entry";

/** Searches the headings of the guide and of the error list. Both are loaded on first use. */
export function useHelpSections(query: string, active: boolean): Found {
  const navigation = useNavigation();
  const [sections, setSections] = useState<readonly Section[] | null>(null);
  useEffect(() => {
    if (!active || sections !== null) return undefined;
    let wanted = true;
    import("../help/books")
      .then(({ ALL }) => ALL)
      // A failed load is ignored, because the Help page reports it. The palette then shows no sections.
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
    const fieldsOf = ({ title, chapter }: Section) => [{ text: title, weight: 1 }, { text: chapter, weight: 0.5 }];
    // With an empty query, all scores are equal, so the sections keep their order in the document.
    const entries = matchingEntries(query, sections ?? [], fieldsOf, ({ at, title, opens, chapter }, match) => ({
      key: `section ${at}`,
      icon: "question",
      label: title,
      detail: opens ? "" : chapter,
      choose: () => navigation.openHelp(at),
      ...match,
    }));
    return { sections: [{ title: "Help", entries }], waiting: sections === null, nothing: "No matching sections" };
  }, [active, navigation, query, sections]);
}
