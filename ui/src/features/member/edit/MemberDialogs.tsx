/** The dialogs that rename, duplicate and remove a member. */
import { Dialog } from "radix-ui";
import { useId, useRef, useState } from "react";

import { useNavigation } from "../../../lib/navigation/navigation";
import { memberOf } from "../../../lib/navigation/places";
import { useAsking } from "../../../lib/useAsking";
import type { MemberName } from "../../../ipc/bindings";
import { useStore } from "../../../lib/store";
import { AskFirst } from "../../../components/AskFirst";
import { Button } from "../../../components/Button";
import { offerUndo } from "../../../lib/toasts";
import { ErrorReport } from "../../../components/ErrorReport";
import { useOperation } from "../../../lib/useOperation";
import { useManaging } from "./managing";

const WORDS = {
  rename: { title: (member: string) => `Rename ${member}`, does: "Rename", about: "Its permissions, profiles, saved calls and reviews keep working. Past calls keep the old name." },
  duplicate: { title: (member: string) => `Duplicate ${member}`, does: "Duplicate", about: "Copies its folder and its permissions." },
};

export default function MemberDialogs() {
  const managing = useManaging();
  const shown = useStore(managing.shown, (now) => now);
  if (shown === null) return null;
  const { operation, member } = shown;
  return operation === "remove" ? <Remove key={member} member={member} /> : <NameDialog key={`${operation} ${member}`} operation={operation} member={member} />;
}

function Remove({ member }: { readonly member: MemberName }) {
  const managing = useManaging();
  const navigation = useNavigation();
  const page = useRef<HTMLElement>(document.querySelector("main"));
  return (
    <AskFirst
      title={`Remove ${member}?`}
      does="Remove"
      keep="Cancel"
      returnTo={page}
      onClose={() => managing.close()}
      onDo={() =>
        managing.remove(member, (removed) => {
          managing.close();
          if (memberOf(navigation.place.get()) === member) navigation.openHome();
          offerUndo(`Removed ${removed.member}`, () => void managing.restore(removed, ({ name }) => navigation.openMember(name)));
        })
      }
    >
      Moves its folder to the trash of Guild Hall. You can undo this.
    </AskFirst>
  );
}

function NameDialog({ operation, member }: { readonly operation: "rename" | "duplicate"; readonly member: MemberName }) {
  const managing = useManaging();
  const navigation = useNavigation();
  const [name, setName] = useState(operation === "rename" ? member : `${member}-copy`);
  const { go, busy, problem } = useOperation();
  const id = useId();
  const words = WORDS[operation];
  const close = () => managing.close();
  useAsking(close);
  const unchanged = name.trim() === "" || name.trim() === member ? "Enter another name" : undefined;
  const submit = (event: { readonly preventDefault: () => void }) => {
    event.preventDefault();
    if (unchanged !== undefined) return;
    const done = ({ name: now }: { readonly name: MemberName }) => {
      close();
      navigation.openMember(now);
    };
    void go(() => managing.rename(operation, member, name.trim(), done));
  };
  return (
    <Dialog.Root open onOpenChange={(open) => !open && close()}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-40 bg-black/40" />
        <Dialog.Content className="fixed top-[15vh] scant:top-0 left-1/2 z-50 w-[min(460px,calc(100vw-24px))] -translate-x-1/2 rounded-md border border-control bg-raised p-4 shadow-(--shadow)">
          <form onSubmit={submit} className="flex flex-col gap-2">
            <Dialog.Title className="text-lg font-semibold break-words">{words.title(member)}</Dialog.Title>
            <Dialog.Description className="break-words text-dim">{words.about}</Dialog.Description>
            <label htmlFor={id} className="mt-1 font-medium">Name</label>
            <input
              id={id}
              value={name}
              maxLength={128}
              spellCheck={false}
              autoComplete="off"
              onFocus={(event) => event.target.select()}
              onChange={(event) => setName(event.target.value)}
              className="h-8 w-full rounded-sm border border-control bg-bg px-2"
            />
            {problem && <ErrorReport report={problem} />}
            <div className="mt-2 flex flex-wrap justify-end gap-2">
              <Dialog.Close asChild>
                <Button>Cancel</Button>
              </Dialog.Close>
              <Button type="submit" look="accent" unavailable={busy ? "In progress" : unchanged}>{words.does}</Button>
            </div>
          </form>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
