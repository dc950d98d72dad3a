/** The layout of all settings pages: a list of pages with a search field, beside the open page. */
import { useEffect, useState, type ReactNode } from "react";

import { useNavigation } from "../../lib/navigation/navigation";
import type { Place } from "../../lib/navigation/places";
import { useStore } from "../../lib/store";
import { SearchField } from "../../components/SearchField";
import { Icon } from "../../components/Icon";
import { Select } from "../../components/Select";
import { SIGNS, type SignName } from "../../components/signs";
import { ENTRIES, groupOf } from "./groups";
import { SettingsPage } from "./SettingsPage";
import { useSettingsStore } from "./settingsStore";

export type SettingsPlace = Extract<Place, { kind: "settings" | "secrets" | "discovery" | "doctor" }>;

interface Entry {
  readonly key: string;
  readonly title: string;
  readonly icon: SignName;
  readonly open: () => void;
}

export default function SettingsFrame({ place, children }: { readonly place: SettingsPlace; readonly children?: ReactNode }) {
  const settings = useSettingsStore();
  const navigation = useNavigation();
  useEffect(() => void settings.read(), [settings]);
  const [query, setQuery] = useState("");
  // Navigation to a section creates a new `place` object, even for the section that is already open. Each new object
  // clears the search.
  const [led, setLed] = useState<Place>(place);
  if (led !== place) {
    setLed(place);
    setQuery("");
  }
  const known = useStore(settings.known, (state) => state);
  const pages = { secrets: () => navigation.openSecrets(), doctor: () => navigation.openDoctor() };
  const entries = ENTRIES.map((entry): Entry => {
    const { title, icon } = entry;
    return "page" in entry
      ? { key: entry.page, title, icon, open: pages[entry.page] }
      : { key: entry.name, title, icon, open: () => navigation.openSettings(entry.name) };
  });
  const shown = query !== "" ? "" : shownFor(place);
  const isSettings = place.kind === "settings" || query !== "";
  return (
    <div className="flex min-h-0 flex-1 max-narrow:flex-col scant:overflow-y-auto">
      <nav aria-label="Sections" className="flex w-54 shrink-0 flex-col gap-3 overflow-y-auto border-e border-line p-2 pt-4 max-narrow:w-full max-narrow:flex-row max-narrow:flex-wrap max-narrow:border-e-0 max-narrow:border-b max-narrow:py-2 scant:overflow-visible">
        <Title is={isSettings}>Settings</Title>
        <SearchField label="Search settings" maxLength={100} value={query} onValue={setQuery} className="min-w-24 max-narrow:flex-1" />
        <Select
          aria-label="Section"
          className="narrow:hidden"
          value={shown}
          placeholder="All sections"
          options={entries.map(({ key, title }) => ({ value: key, label: title }))}
          onValue={(key) => entries.find((entry) => entry.key === key)?.open()}
        />
        <ul className="flex flex-col gap-0.5 max-narrow:hidden">
          {entries.map(({ key, title, icon, open }) => (
            <li key={key}>
              <button
                type="button"
                aria-current={key === shown ? "page" : undefined}
                onClick={open}
                className="flex min-h-7 w-full items-center gap-3 rounded-sm px-3 text-start font-medium text-dim hover:bg-hover hover:text-text aria-[current=page]:bg-selected aria-[current=page]:text-text"
              >
                <Icon of={SIGNS[icon]} className={key === shown ? "text-accent" : ""} />
                <span className="min-w-0 break-words">{title}</span>
              </button>
            </li>
          ))}
        </ul>
      </nav>
      {isSettings ? <SettingsPage known={known} at={place.kind === "settings" ? place.at : undefined} query={query} onQuery={setQuery} /> : <div className="flex min-h-0 min-w-0 flex-1 flex-col">{children}</div>}
    </div>
  );
}

/** The key of the list's entry for a place. The page of tool detection is part of Advanced. */
function shownFor(place: SettingsPlace): string {
  if (place.kind === "settings") return groupOf(place.at ?? "general").name;
  return place.kind === "discovery" ? groupOf("limits").name : place.kind;
}

/**
 * The title above the list. It is the `h1` while the settings or search results are shown; other pages have their
 * own `h1`.
 */
function Title({ is, children }: { readonly is: boolean; readonly children: ReactNode }) {
  const look = "px-3 text-xl font-semibold tracking-[-0.012em]";
  return is ? <h1 id="settings-title" className={look}>{children}</h1> : <p className={look}>{children}</p>;
}
