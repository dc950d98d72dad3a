/** The editor of one profile. Changes apply when the user saves them. */
import { useEffect, useId, useRef, useState, type SubmitEvent } from "react";

import type { GatewayState, MountedMember, Profile } from "../../../ipc/bindings";
import { useHall } from "../../../lib/hall/hall";
import { useNavigation } from "../../../lib/navigation/navigation";
import { useSpoken } from "../../../lib/spoken";
import { useStore } from "../../../lib/store";
import { Button } from "../../../components/Button";
import { CopyButton } from "../../../components/CopyButton";
import { drawNow } from "../../../lib/drawNow";
import { Icon, Sign } from "../../../components/Icon";
import { IconButton } from "../../../components/IconButton";
import { Menu } from "../../../components/Menu";
import { Segmented } from "../../../components/Segmented";
import { Select } from "../../../components/Select";
import { SIGNS } from "../../../components/signs";
import { ErrorReport } from "../../../components/ErrorReport";
import { useOperation } from "../../../lib/useOperation";
import { number } from "../../../lib/format";
import { useAgents } from "../agents";
import { addressOf, LISTING_NAMES, LISTINGS, LISTING_WORDS } from "../faces";
import { notify } from "../notify";
import { RuleChoices } from "../policies/RulesPanel";
import PreviewPanel from "../preview/PreviewPanel";
import { isSameProfile, mounted, moved, NAME_MAX, withoutPrefix, wrongName, type EditedProfile } from "./edited";
import { MountCard } from "./MountCard";

/**
 * The upper limit for the tokens of a result, the same as in the engine's `RESULT_TOKENS_RANGE`. The engine also checks
 * the lower limit.
 */
const RESULT_TOKENS_MAX = 1_000_000;

interface Props {
  readonly gateway: GatewayState;
  readonly edited: EditedProfile;
  readonly onClose: () => void;
  readonly onDelete: (saved: Profile) => void;
  readonly onTeam: () => void;
}

export function ProfilePage({ gateway, edited, onClose, onDelete, onTeam }: Props) {
  const agents = useAgents();
  const hall = useHall();
  const spoken = useSpoken();
  const navigation = useNavigation();
  const roster = useStore(hall.state, (state) => state.members);
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const form = useRef<HTMLFormElement>(null);
  const operation = useOperation();
  /** The name of the member whose tools are expanded. */
  const [open, setOpen] = useState<string | null>(null);
  const [tried, setTried] = useState(false);
  const { original, profile } = edited;
  const { name, listing, members, resultTokens } = profile;
  const saved = gateway.profiles.find((one) => one.name === original);
  const unchanged = saved !== undefined && isSameProfile(saved, profile);
  const wrong = wrongName(edited, gateway);
  const shownProblem = tried || name !== "" ? wrong : null;
  const address = addressOf(gateway, { kind: "profile", profile: name });
  useEffect(() => field.current?.focus(), []);

  const edit = (changes: Partial<Profile>) => agents.editing.set({ original, profile: { ...profile, ...changes } });
  const editMount = (mount: MountedMember) => edit({ members: members.map((other) => (other.member === mount.member ? mount : other)) });
  const addable = roster.filter((view) => !members.some(({ member }) => member === view.name));

  const save = (event: SubmitEvent) => {
    event.preventDefault();
    setTried(true);
    if (wrong !== null) {
      field.current?.focus();
      return;
    }
    if (unchanged) return;
    void operation
      .go(() => agents.saveProfile(profile, original))
      .then((done) => {
        if (!done) return;
        agents.editing.set({ original: name, profile });
        notify({ hall, spoken }, `Profile ${name} saved`);
      });
  };
  const move = (index: number, by: 1 | -1, member: string) => {
    edit({ members: moved(members, index, by) });
    drawNow();
    // Moving the card in the DOM can take the focus from the pressed button, so the button is focused again.
    const button = form.current?.querySelector<HTMLElement>(`[data-move="${CSS.escape(`${member} ${by}`)}"]`);
    button?.focus();
    spoken.set(`${member} moved to ${number(index + by + 1)} of ${number(members.length)}`);
  };

  return (
    <div className="flex min-h-0 flex-1 max-wide:flex-col max-wide:overflow-y-auto">
      <form ref={form} onSubmit={save} noValidate className="flex min-w-0 flex-1 flex-col **:scroll-mb-14 wide:overflow-y-auto" data-testid="profile-form">
        <div className="flex max-w-3xl flex-1 flex-col gap-6 p-5">
          <header className="flex flex-wrap items-center gap-2">
            <nav aria-label="Breadcrumb"><Button look="quiet" className="-ms-2.5" onClick={onClose}><Icon of={SIGNS.back} className="rtl:-scale-x-100" />Profiles</Button></nav>
            <h2 className="min-w-0 flex-1 text-lg font-semibold break-words">{original ?? "New profile"}</h2>
            {saved && (
              <Menu
                items={[
                  { label: "Connect an app…", icon: "plug", onSelect: () => { agents.endpoint.set({ kind: "profile", profile: saved.name }); navigation.openAgents("connect"); } },
                  { label: "Export for a team…", icon: "users", onSelect: onTeam },
                  "line",
                  { label: "Delete profile", icon: "trash", danger: true, onSelect: () => onDelete(saved) },
                ]}
              >
                <IconButton icon="more" label="More for this profile" />
              </Menu>
            )}
          </header>
          <section className="flex flex-col gap-1.5">
            <label htmlFor={`${id}-name`} className="font-medium">Name</label>
            <input
              ref={field}
              id={`${id}-name`}
              autoComplete="off"
              spellCheck={false}
              maxLength={NAME_MAX}
              value={name}
              aria-invalid={shownProblem !== null}
              aria-describedby={`${id}-name-says`}
              onChange={(event) => edit({ name: event.target.value })}
              className="h-8 w-full max-w-80 rounded-sm border border-control bg-bg px-2 aria-invalid:border-bad"
            />
            <div className="flex min-h-7 flex-wrap items-center gap-x-1 text-sm">
              <p id={`${id}-name-says`} className="break-all text-dim select-text">
                {shownProblem !== null ? (
                  <span className="text-bad"><Sign of="cross" className="me-1" />{shownProblem}</span>
                ) : (
                  name !== "" && (
                    <>
                      <code className="font-mono">{address}</code>
                      {original !== null && original !== name && <span data-testid="profile-address-note"> The old URL keeps working.</span>}
                    </>
                  )
                )}
              </p>
              {wrong === null && <CopyButton icon what="the profile's URL" text={() => address} />}
            </div>
          </section>
          <section className="flex flex-col gap-1.5">
            <h3 id={`${id}-listing`} className="font-medium">Tool list</h3>
            <Segmented
              aria-labelledby={`${id}-listing`}
              aria-describedby={`${id}-listing-says`}
              className="self-start"
              value={listing ?? ""}
              options={[{ value: "" as const, label: "Gateway default" }, ...LISTINGS.map((one) => ({ value: one, label: LISTING_NAMES[one] }))]}
              onValue={(one) => edit({ listing: one === "" ? null : one })}
            />
            <p id={`${id}-listing-says`} className="text-sm text-dim">{listing === null && `${LISTING_NAMES[gateway.listing]}: `}{LISTING_WORDS[listing ?? gateway.listing]}</p>
          </section>
          <section className="flex flex-col gap-1.5">
            <label htmlFor={`${id}-results`} className="font-medium">Largest result in tokens</label>
            <input
              id={`${id}-results`}
              type="number"
              min={0}
              max={RESULT_TOKENS_MAX}
              value={resultTokens ?? ""}
              placeholder="Gateway default"
              aria-describedby={`${id}-results-says`}
              onChange={({ target }) => edit({ resultTokens: target.value === "" ? null : Math.min(Math.max(Math.trunc(target.valueAsNumber), 0), RESULT_TOKENS_MAX) })}
              className="h-8 w-full max-w-80 rounded-sm border border-control bg-bg px-2"
            />
            <p id={`${id}-results-says`} className="text-sm text-dim">A larger result is cut, and agents read the rest with result_read. 0 means no limit. The number of tokens is an estimate.</p>
          </section>
          <fieldset className="flex min-w-0 flex-col gap-2">
            <legend className="mb-1.5 font-medium">Members and tools</legend>
            {members.length === 0 && <p className="text-dim">No members yet. Agents get no tools from this profile.</p>}
            <ol aria-label="Members in list order" className="flex flex-col gap-2">
              {members.map((mount, index) => (
                <MountCard
                  key={mount.member}
                  mount={mount}
                  place={index}
                  among={members.length}
                  open={open === mount.member}
                  onOpen={(is) => setOpen(is ? mount.member : null)}
                  onMount={editMount}
                  onPrefix={(bare) => edit({ members: withoutPrefix(members, mount.member, bare) })}
                  onMove={(by) => move(index, by, mount.member)}
                  onRemove={() => {
                    edit({ members: members.filter((other) => other !== mount) });
                    drawNow();
                    document.getElementById(`${id}-add`)?.focus();
                  }}
                />
              ))}
            </ol>
            <Select<string>
              id={`${id}-add`}
              aria-label="Add to profile"
              className="self-start"
              value=""
              placeholder={addable.length === 0 ? "All members added" : "Add a member…"}
              unavailable={addable.length === 0 ? "All members added" : undefined}
              options={addable.map((view) => ({ value: view.name, label: view.name }))}
              onValue={(member) => edit({ members: [...members, mounted(member)] })}
            />
          </fieldset>
          <section aria-labelledby={`${id}-rules`} className="flex flex-col gap-2">
            <div>
              <h3 id={`${id}-rules`} className="font-medium">Permissions</h3>
              <p className="text-sm text-dim">A profile can restrict permissions, not loosen them.</p>
            </div>
            <RuleChoices rules={profile.rules} onRules={(rules) => edit({ rules })} />
          </section>
          {operation.problem && <ErrorReport report={operation.problem} />}
        </div>
        <div className="sticky bottom-0 z-20 flex shrink-0 flex-wrap items-center gap-2 border-t border-line bg-bg px-5 py-2.5 **:scroll-mb-0! short:static">
          <Button look="accent" type="submit" unavailable={operation.busy ? "Saving…" : unchanged ? "No changes" : undefined}>Save</Button>
          {saved && !unchanged && <Button onClick={() => agents.editing.set({ original, profile: saved })}>Discard changes</Button>}
          {original === null && <Button onClick={onClose}>Cancel</Button>}
        </div>
      </form>
      {saved && <PreviewPanel gateway={gateway} endpoint={{ kind: "profile", profile: saved.name }} />}
    </div>
  );
}
