/** The Keyboard shortcuts dialog. */
import { Dialog } from "radix-ui";
import { useState } from "react";

import { useSettingsStore } from "../features/settings/settingsStore";
import { GROUPS, useActionList, type Action } from "../lib/actions";
import type { OwnKeys } from "../lib/keys/actionKeys";
import { useLayers } from "../lib/layers";
import { useStore } from "../lib/store";
import { SearchField } from "../components/SearchField";
import { Button } from "../components/Button";
import { Sign } from "../components/Icon";
import { keyLabel } from "../lib/keys/keyLabel";
import { partKeys, type ShortcutGroup } from "./partKeys";
import { intoSight } from "../lib/focus";

/** All shortcuts: those of actions by group, then those of single parts of the window. */
function groupsOf(actions: readonly Action[], own: OwnKeys): ShortcutGroup[] {
  const groups = GROUPS.map((title): ShortcutGroup => {
    const bound = actions.filter(({ group, keys }) => group === title && keys !== undefined);
    const keysOf = (action: Action) => [action.keys, action.alsoKeys].filter((keys) => keys !== undefined).map((keys) => keyLabel(keys));
    return { title, lines: bound.map((action) => ({ title: action.title, keys: keysOf(action) })) };
  });
  return [...groups, ...partKeys(own)];
}

function holds({ title, keys }: ShortcutGroup["lines"][number], wanted: readonly string[]): boolean {
  const text = `${title} ${keys.join(" ")}`.toLowerCase();
  return wanted.every((word) => text.includes(word));
}

export default function KeySheet() {
  const actions = useActionList();
  const settings = useSettingsStore();
  const layers = useLayers();
  const [query, setQuery] = useState("");
  const wanted = query.toLowerCase().split(/\s+/).filter(Boolean);
  const own = useStore(settings.known, settings.ownKeys);
  const parts = groupsOf(actions.all(), own)
    .map(({ title, lines }) => ({ title, lines: lines.filter((line) => holds(line, wanted)) }))
    .filter(({ lines }) => lines.length > 0);
  const close = () => layers.close("keys");
  return (
    <Dialog.Root open onOpenChange={(open) => !open && close()}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-40 bg-black/40" />
        <Dialog.Content
          aria-describedby={undefined}
          data-region
          data-testid="key-sheet"
          onFocus={intoSight}
          onCloseAutoFocus={(event) => event.preventDefault()}
          className="fixed inset-y-[6vh] left-1/2 z-50 scant:inset-y-0 scant:overflow-y-auto flex w-[min(860px,calc(100vw-24px))] -translate-x-1/2 flex-col rounded-md border border-control bg-raised shadow-(--shadow)"
        >
          <header className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-4 py-2">
            <Dialog.Title className="text-lg font-semibold">Keyboard shortcuts</Dialog.Title>
            <SearchField label="Search shortcuts" maxLength={100} value={query} onValue={setQuery} className="flex-1 basis-40" />
            <Button look="quiet" aria-label="Close" onClick={close}>
              <Sign of="close" />
            </Button>
          </header>
          {/* The list is focusable, so that the keyboard can scroll it. */}
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
          <div role="region" aria-label="All shortcuts" tabIndex={0} className="min-h-0 flex-1 overflow-y-auto px-4 py-3 scant:flex-none scant:overflow-visible">
            <div className="columns-[320px] gap-8">
              {parts.map(({ title, lines }) => (
                <section key={title} className="mb-4 break-inside-avoid">
                  <h3 className="font-semibold">{title}</h3>
                  <dl className="mt-1">
                    {lines.map((line) => (
                      <div key={line.title} className="flex items-baseline gap-3 border-b border-line py-1 last:border-0">
                        <dt className="min-w-0 flex-1 break-words text-dim">{line.title}</dt>
                        <dd className="flex shrink-0 gap-1">
                          {line.keys.map((keys) => (
                            <kbd key={keys} className="rounded-sm border border-control bg-sidebar px-1 font-sans text-sm">
                              {keys}
                            </kbd>
                          ))}
                        </dd>
                      </div>
                    ))}
                  </dl>
                </section>
              ))}
            </div>
            {parts.length === 0 && <p data-testid="keys-none" role="status" className="text-dim">No matching shortcuts</p>}
          </div>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
