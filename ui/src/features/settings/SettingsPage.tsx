/** The settings of one group, or the settings that match a search. */
import { useEffect, useId, useRef, type ReactNode } from "react";

import type { SettingsState } from "../../ipc/bindings";
import { useNavigation } from "../../lib/navigation/navigation";
import type { SectionName } from "../../lib/navigation/places";
import { useStore } from "../../lib/store";
import { drawNow } from "../../lib/drawNow";
import { Button } from "../../components/Button";
import { Reading } from "../../components/Reading";
import { ErrorReport } from "../../components/ErrorReport";
import { AgentsPart } from "./AgentsPart";
import { FIELDS, SECTIONS, type Field } from "./fields";
import { FILE_LINE, FilePart } from "./FilePart";
import { groupOf } from "./groups";
import { KEYS_LINE, KeysPart } from "./KeysPart";
import { Mistakes } from "./Mistakes";
import { PrivacyPart } from "./PrivacyPart";
import { SettingRow } from "./SettingRow";
import { UpdatesPart } from "./UpdatesPart";
import { useSettingsStore } from "./settingsStore";

interface Shown {
  readonly name: SectionName;
  readonly fields: readonly Field[];
  /** Whether the search matches the title or search words of the section itself, so that the whole section is shown. */
  readonly whole: boolean;
}

function shownFor(query: string): Shown[] {
  const wanted = query.toLowerCase().split(/\s+/).filter(Boolean);
  const has = (text: string) => wanted.every((word) => text.toLowerCase().includes(word));
  return [...SECTIONS].map(([name, title]): Shown => {
    const whole = has(`${groupOf(name).title} ${title} ${OTHER_WORDS[name] ?? ""}`);
    const ofSection = FIELDS.filter(({ section }) => section === name);
    const fields = whole ? ofSection : ofSection.filter((field) => has(`${field.key} ${field.title} ${field.description}`));
    return { name, fields, whole };
  }).filter(({ fields, whole }) => whole || fields.length > 0);
}

/** Additional search words for sections that contain more than settings. */
const OTHER_WORDS: Partial<Record<SectionName, string>> = {
  keys: `${KEYS_LINE} Reset all shortcuts`,
  gateway: "permissions profiles clients agents endpoint",
  privacy: "Record calls Clear the history Data folder Members' folder in use Save diagnostics bug report",
  updates: "new versions check now release notes signature",
  limits: "Tool detection",
  file: `${FILE_LINE} Export and import`,
};

interface Props {
  readonly known: SettingsState | null;
  readonly at: SectionName | undefined;
  readonly query: string;
  readonly onQuery: (query: string) => void;
}

export function SettingsPage({ known, at, query, onQuery }: Props) {
  const settings = useSettingsStore();
  const navigation = useNavigation();
  const trouble = useStore(settings.trouble, (report) => report);
  const scrolled = useRef<HTMLElement>(null);
  const goTo = (name: SectionName) => {
    const page = scrolled.current;
    const heading = page?.querySelector<HTMLElement>(`[data-section="${name}"]`);
    if (!page || !heading) return;
    const isFirst = heading === page.querySelector("[data-section]");
    page.scrollTo({ top: isFirst ? 0 : page.scrollTop + heading.getBoundingClientRect().top - page.getBoundingClientRect().top });
    heading.focus({ preventScroll: true });
  };
  // Navigation to a section creates a new `place` object, even for the section that is already open. Each new object
  // scrolls to the section.
  const place = useStore(navigation.place, (now) => now);
  useEffect(() => {
    if (place.kind === "settings" && place.at) goTo(place.at);
  }, [place]);
  if (!known) return <div className="flex-1 p-6">{trouble ? <ErrorReport report={trouble} /> : <Reading what="the settings" className="" />}</div>;
  const group = groupOf(at ?? "general");
  const shown = query === "" ? group.sections.map((name): Shown => ({ name, fields: FIELDS.filter(({ section }) => section === name), whole: true })) : shownFor(query);
  const showFile = () => {
    onQuery("");
    navigation.openSettings("file");
    drawNow();
    goTo("file");
  };
  return (
    <article ref={scrolled} aria-labelledby="settings-title" className="flex min-w-0 flex-1 flex-col gap-6 overflow-y-auto p-6 scant:overflow-visible">
      <Mistakes known={known} onShow={showFile} />
      {shown.map(({ name, fields, whole }) => (
        <Section key={name} name={name}>
          {fields.length > 0 && (
            <div className="divide-y divide-line rounded-md border border-line">
              {fields.map((field) => (
                <SettingRow key={field.key} field={field} known={known} />
              ))}
            </div>
          )}
          {whole && <Rest name={name} known={known} />}
        </Section>
      ))}
      {shown.length === 0 && <p data-testid="settings-none" role="status" className="text-dim">No matching settings</p>}
      <p className="text-sm text-dim">Changes are saved automatically.</p>
    </article>
  );
}

function Section({ name, children }: { name: SectionName; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="flex max-w-3xl flex-col gap-3">
      <h2 id={id} data-section={name} tabIndex={-1} className="font-semibold">{SECTIONS.get(name)}</h2>
      {children}
    </section>
  );
}

function DetectionLink() {
  const navigation = useNavigation();
  return <Button className="self-start" onClick={() => navigation.openDiscovery()}>Tool detection…</Button>;
}

/** The content of a section below its settings. */
function Rest({ name, known }: { name: SectionName; known: SettingsState }) {
  switch (name) {
    case "keys":
      return <KeysPart own={known.settings.keys} />;
    case "gateway":
      return <AgentsPart port={known.settings.gateway.port} />;
    case "limits":
      return <DetectionLink />;
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
