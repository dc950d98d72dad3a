/** A field for the keyboard shortcut of each action, and a list of shortcuts that two actions share. */
import { useId, useRef, useState } from "react";

import { type Action, GROUPS, useActionList } from "../../lib/actions";
import type { OwnKeys } from "../../lib/keys/actionKeys";
import { SearchField } from "../../components/SearchField";
import { Button } from "../../components/Button";
import { Sign } from "../../components/Icon";
import { IconButton } from "../../components/IconButton";
import { ErrorReport } from "../../components/ErrorReport";
import { useSpoken } from "../../lib/spoken";
import { useOperation } from "../../lib/useOperation";
import { useGoing } from "../../lib/useGoing";
import { keyLabel } from "../../lib/keys/keyLabel";
import { KeyField } from "./KeyField";
import { conflictsOf, withOwnKeys } from "./ownKeys";
import { useSettingsStore } from "./settingsStore";

export const KEYS_LINE = "Select Change… and press the new keys.";

export function KeysPart({ own }: { own: OwnKeys }) {
  const actionList = useActionList();
  const settings = useSettingsStore();
  const spoken = useSpoken();
  const [query, setQuery] = useState("");
  const operation = useOperation();
  // An action whose id contains a space exists only temporarily, such as for one pending approval, so it gets no
  // shortcut.
  const usual = actionList.usual().filter(({ id }) => !id.includes(" "));
  const actions = withOwnKeys(usual, own);
  const conflicts = conflictsOf(actions);
  const changed = Object.keys(own);
  const filter = useRef<HTMLInputElement>(null);
  const resetsAll = useGoing(changed.length > 0, () => filter.current);
  const wanted = query.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = ({ id, title, keys = "" }: Action) => wanted.every((word) => `${id} ${title} ${keys}`.toLowerCase().includes(word));

  const set = async (action: Action, keys: string | null) => {
    const before = usual.find(({ id }) => id === action.id)?.keys;
    // The value `null` removes the entry from the file, because the default needs no entry.
    const value = keys === before ? null : (keys ?? (before === undefined ? null : ""));
    if (await operation.go(() => settings.change([{ key: `keys.${action.id}`, value }]))) spoken.set(`${action.title}: saved.`);
  };
  const resetAll = async () => {
    resetsAll();
    const changes = changed.map((id) => ({ key: `keys.${id}`, value: null }));
    if (await operation.go(() => settings.change(changes))) spoken.set("All shortcuts are reset.");
  };
  return (
    <>
      <p className="text-sm text-dim">{KEYS_LINE}</p>
      <div className="flex flex-wrap items-center gap-2 py-1">
        <SearchField ref={filter} label="Search shortcuts" maxLength={100} value={query} onValue={setQuery} className="flex-1 basis-40 narrow:max-w-xs" />
        {changed.length > 0 && <Button onClick={() => void resetAll()}>Reset all shortcuts</Button>}
      </div>
      {operation.problem && <ErrorReport report={operation.problem} />}
      {conflicts.length > 0 && (
        <div role="alert" aria-label="Shortcuts of two actions" className="rounded-md border border-warn bg-warn-fill px-3 py-2">
          {conflicts.map(({ keys, first, other }) => (
            <p key={`${keys} ${other.id}`}>
              <Sign of="warning" className="me-1" />
              {keyLabel(keys)} is set for “{first.title}” and “{other.title}”. It runs “{first.title}”.
            </p>
          ))}
        </div>
      )}
      {GROUPS.map((group) => {
        const ofGroup = actions.filter((action) => action.group === group && fits(action));
        if (ofGroup.length === 0) return null;
        return (
          <div key={group} className="mt-2">
            <h3 className="font-medium">{group}</h3>
            <ul>
              {ofGroup.map((action) => (
                <Row key={action.id} action={action} isOwn={own[action.id] !== undefined} onKeys={(keys) => void set(action, keys)} onReset={() => void set(action, usual.find(({ id }) => id === action.id)?.keys ?? null)} />
              ))}
            </ul>
          </div>
        );
      })}
      {!actions.some(fits) && <p role="status" className="text-dim">No matching shortcuts</p>}
    </>
  );
}

interface RowProps {
  readonly action: Action;
  readonly isOwn: boolean;
  readonly onKeys: (keys: string | null) => void;
  readonly onReset: () => void;
}

function Row({ action, isOwn, onKeys, onReset }: RowProps) {
  const id = useId();
  const resets = useGoing(isOwn, () => document.getElementById(id));
  return (
    <li data-action={action.id} className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line py-1 last:border-0">
      <span className="min-w-40 flex-1 break-words text-dim">{action.title}</span>
      {isOwn && (
          <IconButton
            icon="undo"
            label={`Reset ${action.title}`}
            onClick={() => {
              resets();
              onReset();
            }}
          />
      )}
      <KeyField id={id} title={action.title} keys={action.keys ?? null} also={action.alsoKeys} onKeys={onKeys} />
    </li>
  );
}
