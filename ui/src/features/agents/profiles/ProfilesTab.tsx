/** The Profiles tab: the list of profiles, the editor of one profile, or the export for a team. */
import { useRef, useState } from "react";

import type { GatewayState, Profile, ProfileName } from "../../../ipc/bindings";
import { useHall } from "../../../lib/hall/hall";
import { useSpoken } from "../../../lib/spoken";
import { useStore } from "../../../lib/store";
import { Button } from "../../../components/Button";
import { CopyButton } from "../../../components/CopyButton";
import { EmptyState } from "../../../components/EmptyState";
import { Icon } from "../../../components/Icon";
import { IconButton } from "../../../components/IconButton";
import { Menu } from "../../../components/Menu";
import { SIGNS } from "../../../components/signs";
import { useAgents } from "../agents";
import { addressOf, LISTING_NAMES } from "../faces";
import { notify } from "../notify";
import { isSameProfile, NEW_PROFILE } from "./edited";
import { ProfilePage } from "./ProfilePage";
import { TeamForm } from "./TeamForm";

export default function ProfilesTab({ gateway }: { gateway: GatewayState }) {
  const agents = useAgents();
  const hall = useHall();
  const spoken = useSpoken();
  const edited = useStore(agents.editing, (one) => one);
  const [team, setTeam] = useState<ProfileName | null>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const focusHeading = () => requestAnimationFrame(() => heading.current?.focus());
  const remove = (profile: Profile) =>
    void agents.change("delete_profile", { profile: profile.name }).then((refused) => {
      if (refused) {
        hall.tell(refused);
        return;
      }
      agents.editing.set(null);
      setTeam(null);
      focusHeading();
      notify({ hall, spoken }, `Deleted ${profile.name}. Its URL no longer works.`, () => agents.saveProfile(profile, null));
    });
  const close = () => {
    const saved = gateway.profiles.find(({ name }) => name === edited?.original);
    agents.editing.set(null);
    focusHeading();
    if (edited && saved && !isSameProfile(saved, edited.profile)) {
      notify({ hall, spoken }, `Changes to ${saved.name} discarded`, () => {
        agents.editing.set(edited);
        return Promise.resolve(null);
      });
    }
  };
  if (team !== null) return <TeamForm profile={team} onClose={() => { setTeam(null); focusHeading(); }} />;
  if (edited) return <ProfilePage key={edited.original} gateway={gateway} edited={edited} onClose={close} onDelete={remove} onTeam={() => setTeam(edited.original)} />;
  const add = <Button onClick={() => agents.editing.set(NEW_PROFILE)}><Icon of={SIGNS.plus} size={14} />New profile</Button>;
  return (
    <div className="flex max-w-5xl flex-col gap-4 p-5">
      <header className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 basis-64">
          <h2 ref={heading} tabIndex={-1} className="font-semibold outline-none">Profiles</h2>
          <p className="text-dim">A profile is a set of tools with its own URL.</p>
        </div>
        {gateway.profiles.length > 0 && add}
      </header>
      {gateway.profiles.length === 0 ? (
        <EmptyState icon="users" title="No profiles yet" actions={add}>Make one for each kind of work, for example &quot;Writing&quot; or &quot;Home&quot;.</EmptyState>
      ) : (
        <ul aria-label="Profiles" className="grid grid-cols-[repeat(auto-fill,minmax(min(360px,100%),1fr))] gap-3">
          {gateway.profiles.map((profile) => (
            <Card
              key={profile.name}
              profile={profile}
              gateway={gateway}
              onOpen={() => agents.editing.set({ original: profile.name, profile })}
              onDelete={() => remove(profile)}
              onTeam={() => setTeam(profile.name)}
            />
          ))}
        </ul>
      )}
    </div>
  );
}

interface CardProps {
  readonly profile: Profile;
  readonly gateway: GatewayState;
  readonly onOpen: () => void;
  readonly onDelete: () => void;
  readonly onTeam: () => void;
}

function Card({ profile: { name, listing, members }, gateway, onOpen, onDelete, onTeam }: CardProps) {
  const agents = useAgents();
  const address = addressOf(gateway, { kind: "profile", profile: name });
  const preview = () => {
    agents.previewing.set(true);
    onOpen();
  };
  return (
    <li className="flex flex-col gap-1 rounded-md border border-line bg-raised p-4">
      <div className="flex items-center gap-2">
        <strong className="min-w-0 flex-1 font-semibold break-words">{name}</strong>
        <Button aria-label={`Edit ${name}`} onClick={onOpen}>Edit</Button>
        <Menu
          items={[
            { label: "Preview", icon: "eye", onSelect: preview },
            { label: "Export for a team…", icon: "users", onSelect: onTeam },
            "line",
            { label: "Delete profile", icon: "trash", danger: true, onSelect: onDelete },
          ]}
        >
          <IconButton icon="more" label={`More for ${name}`} />
        </Menu>
      </div>
      <p className="break-words text-dim">{members.length === 0 ? "Empty" : members.map(({ member }) => member).join(", ")}</p>
      <p className="text-sm text-dim">{listing ? LISTING_NAMES[listing] : `${LISTING_NAMES[gateway.listing]} (gateway default)`}</p>
      <p className="flex items-center gap-1">
        <code className="min-w-0 font-mono text-sm break-all select-text">{address}</code>
        <CopyButton icon what={`the URL of ${name}`} text={() => address} />
      </p>
    </li>
  );
}
