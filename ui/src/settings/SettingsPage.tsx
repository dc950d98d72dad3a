/** Everything that can be set, in one page. There is no button to save: what is set is saved. */
import { useEffect, useId, useMemo, useRef, useState, type ReactNode } from "react";

import { useHouse } from "../app/house";
import type { SettingsState } from "../bridge/bindings";
import { useStore } from "../hall/store";
import { Button } from "../parts/Button";
import { drawNow } from "../parts/drawNow";
import { Reading } from "../parts/Reading";
import { Trouble } from "../parts/Trouble";
import { AgentsPart, GATEWAY_LINE } from "./AgentsPart";
import { FIELDS, SECTIONS, type Field, type SectionName } from "./fields";
import { FILE_LINE, FilePart } from "./FilePart";
import { KEYS_LINE, KeysPart } from "./KeysPart";
import { Mistakes } from "./Mistakes";
import { PrivacyPart } from "./PrivacyPart";
import { SafetyPart } from "./SafetyPart";
import { SettingRow } from "./SettingRow";
import { UpdatesPart } from "./UpdatesPart";

export default function SettingsPage() {
  const { settings } = useHouse();
  const known = useStore(settings.known, (state) => state);
  const trouble = useStore(settings.trouble, (report) => report);
  useEffect(() => void settings.read(), [settings]);
  return (
    <article className="flex min-h-0 flex-1 flex-col scant:overflow-y-auto" aria-labelledby="settings-title">
      {known ? (
        <Settings known={known} />
      ) : (
        <div className="flex flex-col gap-3 p-4">
          <h1 id="settings-title" className="text-lg font-semibold">Settings</h1>
          {trouble ? <Trouble report={trouble} /> : <Reading what="the settings" className="" />}
        </div>
      )}
    </article>
  );
}

/** What of the page has the words that are searched. */
interface Shown {
  readonly name: SectionName;
  readonly fields: readonly Field[];
  /** Whether all of the section is shown, because its name has the words. */
  readonly whole: boolean;
}

function shownFor(query: string): Shown[] {
  const wanted = query.toLowerCase().split(/\s+/).filter(Boolean);
  const has = (text: string) => wanted.every((word) => text.toLowerCase().includes(word));
  return [...SECTIONS].map(([name, title]): Shown => {
    const whole = has(`${title} ${OTHER_WORDS[name] ?? ""}`);
    const ofSection = FIELDS.filter(({ section }) => section === name);
    const fields = whole ? ofSection : ofSection.filter((field) => has(`${field.key} ${field.title} ${field.description}`));
    return { name, fields, whole };
  }).filter(({ fields, whole }) => whole || fields.length > 0);
}

/** What else is said in the sections that have more than settings. */
const OTHER_WORDS: Partial<Record<SectionName, string>> = {
  keys: `${KEYS_LINE} Set all keys back`,
  gateway: GATEWAY_LINE,
  safety: ["Policies", "Discovery of tools", "Secrets", "Check this machine"].join(" "),
  privacy: ["Record calls", "Clear the history…", "Data folder", "Members' folder in use", "Save a bundle for a bug report…"].join(" "),
  updates: ["Newer versions", "Look now", "What is new, as its publisher says", "It is fetched and its signature checked.", "Throw away"].join(" "),
  file: [FILE_LINE, "Take settings along", "Export…", "Import…"].join(" "),
};

function Settings({ known }: { known: SettingsState }) {
  const [query, setQuery] = useState("");
  const shown = useMemo(() => shownFor(query), [query]);
  const scrolled = useRef<HTMLDivElement>(null);
  const goTo = (name: SectionName) => {
    const heading = scrolled.current?.querySelector<HTMLElement>(`[data-section="${name}"]`);
    heading?.scrollIntoView({ block: "start" });
    heading?.focus({ preventScroll: true });
  };
  const showFile = () => {
    // A search may hide it.
    setQuery("");
    drawNow();
    goTo("file");
  };
  // Whoever is led to the section that is shown already is led there once more: each way here is a place anew.
  const place = useStore(useHouse().place, (now) => now);
  const [led, setLed] = useState(place);
  if (led !== place) {
    setLed(place);
    if (place.kind === "settings" && place.at) setQuery("");
  }
  useEffect(() => {
    if (place.kind === "settings" && place.at) goTo(place.at);
  }, [place]);
  return (
    <>
      <header className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-4 py-2">
        <h1 id="settings-title" className="text-lg font-semibold">Settings</h1>
        <input
          type="search"
          aria-label="Search the settings"
          placeholder="Search the settings"
          maxLength={100}
          value={query}
          onChange={(event) => setQuery(event.target.value)}
          className="h-7 min-w-0 flex-1 basis-40 rounded-sm border border-line-strong bg-bg px-2 placeholder:text-faint narrow:max-w-md"
        />
      </header>
      <div className="flex min-h-0 flex-1 scant:flex-none">
        <nav aria-label="Sections" className="w-52 shrink-0 overflow-y-auto border-e border-line p-2 max-narrow:hidden">
          <ul className="flex flex-col">
            {shown.map(({ name }) => (
              <li key={name}>
                <Button look="quiet" className="h-auto min-h-6 w-full justify-start text-start whitespace-normal!" onClick={() => goTo(name)}>{SECTIONS.get(name)}</Button>
              </li>
            ))}
          </ul>
        </nav>
        <div ref={scrolled} className="flex min-w-0 flex-1 flex-col gap-6 overflow-y-auto p-4 scant:overflow-visible">
          <Mistakes known={known} onShow={showFile} />
          {query === "" && <p className="text-dim">What is set here is saved at once, most of it in one file, which you may edit by hand as well; what takes effect later says so.</p>}
          {shown.map((one) => (
            <Section key={one.name} name={one.name}>
              {one.fields.map((field) => (
                <SettingRow key={field.key} field={field} known={known} />
              ))}
              {one.whole && <Rest name={one.name} known={known} />}
            </Section>
          ))}
          {shown.length === 0 && <p data-testid="settings-none" role="status" className="text-dim">No setting has these words.</p>}
        </div>
      </div>
    </>
  );
}

function Section({ name, children }: { name: SectionName; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="flex max-w-3xl flex-col gap-1">
      <h2 id={id} data-section={name} tabIndex={-1} className="mb-1 border-b border-line pb-1 font-semibold">{SECTIONS.get(name)}</h2>
      {children}
    </section>
  );
}

/** What a section has beside settings. */
function Rest({ name, known }: { name: SectionName; known: SettingsState }) {
  switch (name) {
    case "keys":
      return <KeysPart own={known.settings.keys} />;
    case "gateway":
      return <AgentsPart port={known.settings.gateway.port} />;
    case "safety":
      return <SafetyPart />;
    case "privacy":
      return <PrivacyPart />;
    case "updates":
      return <UpdatesPart />;
    case "file":
      return <FilePart known={known} />;
    default:
      return null;
  }
}
