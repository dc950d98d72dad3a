import { useEffect, useRef } from "react";

import type { Anchor } from "../../lib/navigation/books";
import type { Section } from "./book";

interface Props {
  readonly books: readonly { readonly title: string; readonly sections: readonly Section[] }[];
  readonly at: Anchor;
  readonly onOpen: (section: Section) => void;
}

/** Whether a section is in the same chapter of the same book as the open section. */
function isNear(section: Section, read: Section | undefined): boolean {
  return read !== undefined && section.chapter === read.chapter && section.at.split("#")[0] === read.at.split("#")[0];
}

/** The table of contents: all chapters, and the sections of the open chapter. */
export function Contents({ books, at, onOpen }: Props) {
  const here = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    // The braces keep the callback from returning a value. In newer engines `scrollIntoView` returns a promise, which
    // is not a clean-up function.
    here.current?.scrollIntoView({ block: "nearest" });
  }, [at]);
  const read = books.flatMap(({ sections }) => sections).find((section) => section.at === at);
  return (
    <nav
      aria-label="Contents"
      className="w-64 shrink-0 overflow-y-auto border-e border-line px-2 py-3 max-wide:max-h-40 scant:max-h-[80vh] max-wide:w-auto max-wide:border-e-0 max-wide:border-b"
    >
      {books.map(({ title, sections }) => (
        <section key={title} className="mb-3">
          <h2 className="px-2 font-semibold">{title}</h2>
          <ul>
            {sections
              .filter((section) => section.opens || isNear(section, read))
              .map((section) => (
                <li key={section.at}>
                  <button
                    ref={section.at === at ? here : null}
                    type="button"
                    aria-current={section.at === at ? "true" : undefined}
                    className={`w-full rounded-sm px-2 py-0.5 text-start break-words hover:bg-hover aria-[current=true]:bg-selected aria-[current=true]:font-medium ${section.opens ? "" : "ps-5 text-dim"}`}
                    onClick={() => onOpen(section)}
                  >
                    {section.title}
                  </button>
                </li>
              ))}
          </ul>
        </section>
      ))}
    </nav>
  );
}
