/** The Help page: one section of the guide or of the error list at a time, with a table of contents and a search. */
import { useEffect, useMemo, useRef, useState, type RefObject } from "react";

import { Button } from "../../components/Button";
import { useLayers } from "../../lib/layers";
import { useNavigation } from "../../lib/navigation/navigation";
import { useFirstRun, showFirstSteps } from "../home/firstRun";
import { Markdown } from "../results/text/Markdown";
import { number } from "../../lib/format";
import { useTour } from "../tour/tour";
import { BOOK_TITLES, BOOKS, type Anchor } from "../../lib/navigation/books";
import type { Section } from "./book";
import { ALL, followed, SECTIONS, sectionAt } from "./books";
import { Contents } from "./Contents";
import { findSections, type Hit } from "./search";

const SEARCH = "Search help";

export default function HelpPage({ at }: { at: Anchor }) {
  const firstRun = useFirstRun();
  const navigation = useNavigation();
  const tour = useTour();
  const layers = useLayers();
  const [query, setQuery] = useState("");
  const field = useRef<HTMLInputElement>(null);
  const hits = useMemo(() => findSections(ALL, query), [query]);
  const open = (section: Section) => {
    setQuery("");
    navigation.openHelp(section.at);
  };

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== "Escape" || event.defaultPrevented) return;
      event.preventDefault();
      if (query === "") navigation.leaveHelp();
      else setQuery("");
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [navigation, query]);

  return (
    <article aria-labelledby="help-title" className="flex min-h-0 flex-1 flex-col short:max-wide:overflow-y-auto" data-testid="help">
      <header className="flex shrink-0 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-4 py-2">
        <Button title="Back to where you were" onClick={() => navigation.leaveHelp()}>
          Back <kbd className="font-sans text-sm text-dim">Esc</kbd>
        </Button>
        <h1 id="help-title" className="text-lg font-semibold">Help</h1>
        <input
          ref={field}
          type="search"
          aria-label={SEARCH}
          placeholder={SEARCH}
          maxLength={100}
          value={query}
          onChange={(event) => setQuery(event.target.value)}
          className="h-7 min-w-0 flex-1 basis-52 rounded-sm border border-control bg-bg px-2 placeholder:text-faint"
        />
        <Button look="quiet" onClick={() => showFirstSteps({ firstRun, navigation })}>First steps</Button>
        <Button look="quiet" onClick={() => tour.begin()}>Take the tour</Button>
        <Button look="quiet" onClick={() => layers.open("keys")}>Keyboard shortcuts…</Button>
        <Button look="quiet" onClick={() => layers.open("about")}>About Guild Hall…</Button>
      </header>
      {query.trim() === "" ? <Read at={at} field={field} onOpen={open} /> : <Hits hits={hits} onOpen={open} />}
    </article>
  );
}

function Hits({ hits, onOpen }: { hits: readonly Hit[]; onOpen: (section: Section) => void }) {
  return (
    <div className="min-h-0 flex-1 overflow-y-auto px-4 py-3 short:max-wide:flex-none short:max-wide:overflow-visible">
      <p data-testid="help-hits" role="status" className="text-dim">{hits.length === 0 ? "No results" : `${number(hits.length)} found`}</p>
      <ul className="mt-2 flex max-w-prose flex-col gap-2">
        {hits.map(({ section, excerpt }) => (
          <li key={section.at}>
            <button type="button" className="w-full rounded-md border border-line px-3 py-2 text-start hover:bg-hover" onClick={() => onOpen(section)}>
              <span className="font-medium">{section.title}</span>{" "}
              {!section.opens && <span className="text-sm text-dim">{section.chapter}</span>}
              {excerpt !== "" && <span className="block text-sm break-words text-dim">{excerpt}</span>}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Read({ at, field, onOpen }: { at: Anchor; field: RefObject<HTMLInputElement | null>; onOpen: (section: Section) => void }) {
  const section = sectionAt(at);
  const index = ALL.findIndex((one) => one.at === at);
  const [before, next] = [ALL[index - 1], ALL[index + 1]];
  const heading = useRef<HTMLHeadingElement>(null);
  const page = useRef<HTMLDivElement>(null);
  // A newly opened section is shown from its beginning and takes the focus, unless the user is typing in the search
  // field.
  useEffect(() => {
    if (page.current) page.current.scrollTop = 0;
    if (document.activeElement === field.current) return;
    // In a low window, the whole page scrolls instead of this region.
    page.current?.scrollIntoView({ block: "start" });
    heading.current?.focus({ preventScroll: true });
  }, [at, field]);
  const follow = (address: string) => {
    const there = followed(address, at);
    return there && (() => onOpen(there));
  };
  return (
    <div className="flex min-h-0 flex-1 max-wide:flex-col short:max-wide:flex-none">
      <Contents books={BOOKS.map((book) => ({ title: BOOK_TITLES[book], sections: SECTIONS[book] }))} at={at} onOpen={onOpen} />
      {/* A scrollable region needs a `tabIndex`, so that the keyboard can scroll it. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div ref={page} role="region" aria-labelledby={section ? "help-section" : "help-title"} tabIndex={0} className="min-h-0 min-w-0 flex-1 overflow-y-auto px-4 py-3 -outline-offset-2 short:max-wide:flex-none short:max-wide:overflow-visible">
        {section === undefined ? (
          <p data-testid="help-no-section" className="text-dim">Section not found</p>
        ) : (
          <div className="max-w-prose">
            {!section.opens && <p className="text-sm text-dim">{section.chapter}</p>}
            <h2 ref={heading} id="help-section" tabIndex={-1} className="text-lg font-semibold break-words outline-none" data-testid="help-section">{section.title}</h2>
            <Markdown key={section.at} text={section.text} follow={follow} />
          </div>
        )}
        <nav aria-label="Help" className="mt-6 flex max-w-prose flex-wrap justify-between gap-2">
          {before ? <Button className="max-w-full" onClick={() => onOpen(before)}><span className="truncate">Previous: {before.title}</span></Button> : <span />}
          {next && <Button className="max-w-full" onClick={() => onOpen(next)}><span className="truncate">Next: {next.title}</span></Button>}
        </nav>
      </div>
    </div>
  );
}
