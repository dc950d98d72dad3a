/** The profiles: sets of tools, each with its own URL. */
import { useRef, useState } from "react";

import { useHouse } from "../../app/house";
import type { GatewayState, Profile, ProfileName } from "../../bridge/bindings";
import { useStore } from "../../hall/store";
import { AskFirst } from "../../parts/AskFirst";
import { Button } from "../../parts/Button";
import { EmptyState } from "../../parts/EmptyState";
import { CopyButton } from "../../parts/CopyButton";
import { addressOf, LISTING_NAMES } from "../faces";
import { NEW_PROFILE } from "./edited";
import { ProfileForm } from "./ProfileForm";
import { TeamForm } from "./TeamForm";

export default function ProfilesTab({ gateway }: { gateway: GatewayState }) {
  const { agents, spoken } = useHouse();
  const edited = useStore(agents.editing, (one) => one);
  const [deleting, setDeleting] = useState<Profile | null>(null);
  const [team, setTeam] = useState<ProfileName | null>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const remove = async (profile: Profile) => {
    const refused = await agents.change("delete_profile", { profile: profile.name });
    if (refused) return refused;
    spoken.set(`Profile ${profile.name} deleted`);
    setDeleting(null);
    return null;
  };
  const close = () => {
    agents.editing.set(null);
    setTeam(null);
    // The form takes its focus along.
    requestAnimationFrame(() => heading.current?.focus());
  };
  if (edited) return <ProfileForm gateway={gateway} edited={edited} onClose={close} />;
  if (team !== null) return <TeamForm profile={team} onClose={close} />;
  return (
    <div className="flex max-w-5xl flex-col gap-3 p-4">
      <header className="flex flex-wrap items-center justify-between gap-3">
        <h2 ref={heading} tabIndex={-1} className="font-semibold outline-none">Profiles</h2>
        <Button onClick={() => agents.editing.set(NEW_PROFILE)}>New profile</Button>
      </header>
      {gateway.profiles.length === 0 ? (
        <EmptyState icon="users" title="No profiles yet">A profile is a set of tools with its own URL, for example &quot;Writing&quot; or &quot;Home&quot;.</EmptyState>
      ) : (
        <ul aria-label="Profiles" className="grid grid-cols-[repeat(auto-fill,minmax(min(360px,100%),1fr))] gap-3">
          {gateway.profiles.map((profile) => (
            <Row key={profile.name} profile={profile} gateway={gateway} onDelete={() => setDeleting(profile)} onTeam={() => setTeam(profile.name)} />
          ))}
        </ul>
      )}
      {deleting && (
        <AskFirst title={`Delete ${deleting.name}?`} does="Delete" keep="Cancel" onDo={() => remove(deleting)} onClose={() => setDeleting(null)} returnTo={heading}>
          Clients that use its URL lose access. Members aren't affected.
        </AskFirst>
      )}
    </div>
  );
}

interface RowProps {
  readonly profile: Profile;
  readonly gateway: GatewayState;
  readonly onDelete: () => void;
  readonly onTeam: () => void;
}

function Row({ profile, gateway, onDelete, onTeam }: RowProps) {
  const house = useHouse();
  const { agents } = house;
  const { name, listing, members } = profile;
  const address = addressOf(gateway, { kind: "profile", profile: name });
  return (
    <li className="flex flex-col gap-3 rounded-md border border-line bg-raised p-4">
      <div className="min-w-0 flex-1">
        <p>
          <strong className="font-semibold break-words">{name}</strong>{" "}
          <span className="text-dim">{listing ? LISTING_NAMES[listing] : `${LISTING_NAMES[gateway.listing]} (gateway default)`}</span>
        </p>
        <p className="break-words text-dim">
          {members.length === 0 ? "Empty" : members.map(({ member }) => member).join(", ")}
        </p>
        <p className="flex flex-wrap items-center gap-1">
          <code className="font-mono text-sm break-all select-text">{address}</code>
          <CopyButton what={`the address of ${name}`} text={() => address} />
        </p>
      </div>
      <div className="flex max-w-full flex-wrap gap-2">
        <Button
          aria-label={`Preview ${name}`}
          onClick={() => {
            agents.endpoint.set({ kind: "profile", profile: name });
            house.openAgents("view");
          }}
        >
          Preview
        </Button>
        <Button aria-label={`Export ${name} for a team`} onClick={onTeam}>Export for a team…</Button>
        <Button aria-label={`Edit ${name}`} onClick={() => agents.editing.set({ original: name, profile })}>Edit</Button>
        <Button aria-label={`Delete ${name}`} onClick={onDelete}>Delete…</Button>
      </div>
    </li>
  );
}
