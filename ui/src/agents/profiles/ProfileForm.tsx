/** One profile while it is edited. Nothing holds before it is saved. */
import { useEffect, useId, useRef, useState, type SubmitEvent } from "react";

import { useHouse } from "../../app/house";
import type { GatewayState, MountedMember, Profile } from "../../bridge/bindings";
import { useStore } from "../../hall/store";
import { Button } from "../../parts/Button";
import { Select } from "../../parts/Select";
import { Sign } from "../../parts/Icon";
import { drawNow } from "../../parts/drawNow";
import { Trouble } from "../../parts/Trouble";
import { useDeed } from "../../parts/useDeed";
import { number } from "../../words/format";
import { addressOf, LISTING_NAMES, LISTINGS, listingWords } from "../faces";
import { mounted, moved, NAME_MAX, withoutPrefix, wrongName, type EditedProfile } from "./edited";
import { MountCard } from "./MountCard";

interface Props {
  readonly gateway: GatewayState;
  readonly edited: EditedProfile;
  readonly onClose: () => void;
}

export function ProfileForm({ gateway, edited, onClose }: Props) {
  const { agents, hall, spoken } = useHouse();
  const roster = useStore(hall.state, (state) => state.members);
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const form = useRef<HTMLFormElement>(null);
  const deed = useDeed();
  /** The member whose tools lie open. */
  const [open, setOpen] = useState<string | null>(null);
  const [tried, setTried] = useState(false);
  const { original, profile } = edited;
  const { name, listing, members } = profile;
  const wrong = wrongName(edited, gateway);
  const told = tried || name !== "" ? wrong : null;
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
    void deed
      .go(() => agents.saveProfile(profile, original))
      .then((done) => {
        if (!done) return;
        spoken.set(`Profile ${name} saved`);
        onClose();
      });
  };
  const move = (index: number, by: 1 | -1, member: string) => {
    edit({ members: moved(members, index, by) });
    drawNow();
    // The card has moved, and its button with it.
    const button = form.current?.querySelector<HTMLElement>(`[data-move="${CSS.escape(`${member} ${by}`)}"]`);
    button?.focus();
    spoken.set(`${member} moved to ${number(index + by + 1)} of ${number(members.length)}`);
  };

  return (
    <form ref={form} onSubmit={save} noValidate className="flex max-w-5xl flex-col gap-4 p-4 **:scroll-mb-14" data-testid="profile-form">
      <h2 className="text-lg font-semibold">{original === null ? "New profile" : `Profile ${original}`}</h2>
      <div className="flex flex-col gap-1">
        <label htmlFor={`${id}-name`}>Name</label>
        <input
          ref={field}
          id={`${id}-name`}
          autoComplete="off"
          spellCheck={false}
          maxLength={NAME_MAX}
          value={name}
          aria-invalid={told !== null}
          aria-describedby={`${id}-name-says`}
          onChange={(event) => edit({ name: event.target.value })}
          className="h-6 w-full max-w-80 rounded-sm border border-line-strong bg-bg px-2 aria-invalid:border-bad"
        />
        <p id={`${id}-name-says`} className="text-sm break-all text-dim">
          {told !== null ? (
            <span className="text-bad"><Sign of="cross" className="me-1" />{told}</span>
          ) : (
            name !== "" && (
              <>
                {addressOf(gateway, { kind: "profile", profile: name })}
                {original !== null && original !== name && <span data-testid="profile-address-note"> The old URL keeps working.</span>}
              </>
            )
          )}
        </p>
      </div>
      <div className="flex flex-wrap items-center gap-2">
        <label htmlFor={`${id}-listing`}>Tool list</label>
        <Select
          id={`${id}-listing`}
          aria-describedby={`${id}-listing-says`}
          value={listing ?? ""}
          options={[{ value: "" as const, label: `${LISTING_NAMES[gateway.listing]} (gateway default)` }, ...LISTINGS.map((one) => ({ value: one, label: LISTING_NAMES[one] }))]}
          onValue={(one) => edit({ listing: one === "" ? null : one })}
        />
        <span id={`${id}-listing-says`} className="text-sm text-dim">{listingWords(listing ?? gateway.listing)}</span>
      </div>
      <fieldset className="flex min-w-0 flex-col gap-2">
        <legend className="mb-1">Members in list order</legend>
        {members.length === 0 && <p className="text-dim">Empty</p>}
        <ol className="flex flex-col gap-2">
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
        <div className="flex flex-wrap items-center gap-2">
          <label htmlFor={`${id}-add`}>Add to profile</label>
          <Select<string>
            id={`${id}-add`}
            value=""
            placeholder={addable.length === 0 ? "All members added" : "Select a member"}
            unavailable={addable.length === 0 ? "All members added" : undefined}
            options={addable.map((view) => ({ value: view.name, label: view.name }))}
            onValue={(member) => edit({ members: [...members, mounted(member)] })}
          />
        </div>
      </fieldset>
      {deed.problem && <Trouble report={deed.problem} />}
      <div className="sticky bottom-0 flex flex-wrap gap-2 border-t border-line bg-bg py-2 **:scroll-mb-0! scant:static">
        <Button look="accent" type="submit" unavailable={deed.busy ? "Saving…" : undefined}>Save</Button>
        <Button look="quiet" onClick={onClose}>Cancel</Button>
      </div>
    </form>
  );
}
