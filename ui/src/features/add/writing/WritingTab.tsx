/**
 * The New server tab: a choice of templates, the files that will be created, and the button that creates the
 * member.
 */
import { useEffect, useId, useRef, useState } from "react";

import type { TemplateLanguage, CreatedMember, MemberName, MemberTemplate, Report } from "../../../ipc/bindings";
import { asRefusal } from "../../../ipc/bridge";
import { errorOf } from "../../../lib/errorOf";
import { useHall } from "../../../lib/hall/hall";
import { useLayers } from "../../../lib/layers";
import { useNavigation, type Navigation } from "../../../lib/navigation/navigation";
import { useRosterPanel, type RosterPanel } from "../../../lib/rosterPanel";
import { useSpoken } from "../../../lib/spoken";
import { useStore } from "../../../lib/store";
import { Button } from "../../../components/Button";
import { CopyButton } from "../../../components/CopyButton";
import { Sign } from "../../../components/Icon";
import { Reading } from "../../../components/Reading";
import { Segmented } from "../../../components/Segmented";
import { showToast } from "../../../lib/toasts";
import { ErrorReport } from "../../../components/ErrorReport";
import { useOperation } from "../../../lib/useOperation";
import { useAddingStore } from "../addingStore";
import { leaving } from "../arrive";
import { Foot } from "../frame";
import { useTyped } from "../typed";
import { beginCommand, folderOf, LANGUAGES, nameTrouble } from "./beginnings";

const begunWords = (name: string) => `${name} was created`;

const CODE = "block rounded-sm bg-sidebar px-2 py-1 font-mono text-sm whitespace-pre-wrap wrap-anywhere select-text";

export default function WritingTab() {
  const beginnings = useBeginnings();
  const [begun, setBegun] = useState<CreatedMember | null>(null);
  const [isAnother, setAnother] = useState(false);
  return (
    <div className="flex flex-col gap-3">
      <p className="text-dim">Start from a small working server and make it your own.</p>
      {begun ? (
        <Begun
          begun={begun}
          onAnother={() => {
            setAnother(true);
            setBegun(null);
          }}
        />
      ) : (
        <Choice beginnings={beginnings} isAnother={isAnother} onBegun={setBegun} />
      )}
      <p>
        <Guide />
      </p>
    </div>
  );
}

function openBegun({ navigation, roster }: { readonly navigation: Navigation; readonly roster: RosterPanel }, member: MemberName): void {
  navigation.openMember(member);
  roster.setExpanded(member, true);
}

function Guide() {
  const navigation = useNavigation();
  return <Button look="quiet" className="-ms-2" onClick={() => navigation.openHelp("user-guide#writing-a-member")}>Writing a member, in the guide</Button>;
}

interface MemberTemplates {
  /** The templates; `null` until they are loaded. */
  readonly each: readonly MemberTemplate[] | null;
  readonly trouble: Report | null;
}

function useBeginnings(): MemberTemplates {
  const hall = useHall();
  const [known, setKnown] = useState<MemberTemplates>({ each: null, trouble: null });
  useEffect(() => {
    let wanted = true;
    hall.ask("beginnings", {}).then(
      ({ beginnings }) => wanted && setKnown({ each: beginnings, trouble: null }),
      (reason: unknown) => wanted && setKnown({ each: null, trouble: asRefusal(reason).report }),
    );
    return () => {
      wanted = false;
    };
  }, [hall]);
  return known;
}

interface ChoiceProps {
  readonly beginnings: MemberTemplates;
  /** Whether the user has already created a member and is now creating another one. */
  readonly isAnother: boolean;
  readonly onBegun: (begun: CreatedMember) => void;
}

function Choice({ beginnings: { each, trouble }, isAnother, onBegun }: ChoiceProps) {
  const adding = useAddingStore();
  const hall = useHall();
  const spoken = useSpoken();
  const layers = useLayers();
  const navigation = useNavigation();
  const roster = useRosterPanel();
  const [from, setFrom] = useState<TemplateLanguage>("python");
  const [name, setName] = useTyped(adding.typed.names, "name", () => "words");
  const members = useStore(hall.state, (state) => state.byName);
  const folder = useStore(hall.state, (state) => state.membersDir);
  const operation = useOperation();
  const id = useId();
  const nameField = useRef<HTMLInputElement>(null);
  // The focus was lost when the Create another button was removed.
  useEffect(() => {
    if (isAnother) nameField.current?.focus();
  }, [isAnother]);
  if (trouble) return <ErrorReport report={trouble} />;
  const chosen = each?.find((one) => one.from === from);
  if (!each || !chosen) return <Reading what="the samples" className="" />;
  // While the member is being created, the roster may already contain it, so its name must not count as taken.
  const wrong = operation.busy ? null : nameTrouble(name, members);

  const begin = () => {
    const isLeft = leaving({ layers, navigation });
    return operation.go(() => errorOf(async () => {
      const begun = await hall.ask("begin_member", { member: name, from });
      spoken.set(begunWords(begun.member));
      adding.typed.drop();
      if (begun.setUp.length > 0 && !isLeft()) onBegun(begun);
      else {
        showToast({ text: begunWords(begun.member), ...(isLeft() && { action: { label: "Open", onClick: () => openBegun({ navigation, roster }, begun.member) } }) });
        if (!isLeft()) openBegun({ navigation, roster }, begun.member);
      }
    }));
  };
  return (
    <form
      id={`${id}-form`}
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (wrong === null) void begin();
      }}
    >
      <div>
        <p id={`${id}-language`} className="mb-1 font-medium">Language</p>
        <Segmented<TemplateLanguage> aria-labelledby={`${id}-language`} value={from} options={each.map((one) => ({ value: one.from, label: LANGUAGES[one.from] }))} onValue={setFrom} />
      </div>
      <div>
        <label htmlFor={`${id}-name`} className="font-medium">Member name</label>
        <input
          ref={nameField}
          id={`${id}-name`}
          type="text"
          value={name}
          maxLength={64}
          spellCheck={false}
          autoComplete="off"
          dir="ltr"
          aria-invalid={wrong !== null}
          aria-describedby={`${id}-wrong`}
          onChange={(event) => setName(event.target.value)}
          className="mt-1 block h-8 w-full max-w-80 rounded-sm border border-control bg-bg px-2 font-mono text-sm"
        />
        <p data-testid="writing-wrong" id={`${id}-wrong`} role="status" className="mt-1 break-words empty:hidden">
          {wrong !== null && <><Sign of="cross" className="text-bad me-1" />{wrong}</>}
        </p>
      </div>
      {wrong === null && <Made beginning={chosen} folder={folderOf(name, folder)} />}
      {operation.problem && <ErrorReport report={operation.problem} />}
      <Foot>
        <Button type="submit" form={`${id}-form`} look="accent" unavailable={operation.busy ? "Creating…" : (wrong ?? undefined)}>Create member</Button>
      </Foot>
      {wrong === null && (
        <details>
          <summary className="w-fit cursor-pointer rounded-sm text-dim hover:text-text">The same in a terminal</summary>
          <Line text={beginCommand(name, from, folder)} />
        </details>
      )}
    </form>
  );
}

/** The files that will be created and the command that will start the member, shown before anything is written. */
function Made({ beginning: { files, command, setUp, build }, folder }: { beginning: MemberTemplate; folder: string }) {
  return (
    <section aria-label="Files" className="flex flex-col gap-1 rounded-md border border-line px-3 py-2">
      <h2 className="font-medium">Files</h2>
      <p>This folder is created with these files:</p>
      <code dir="ltr" className={CODE}>{folder}</code>
      <ul aria-label="Files" dir="ltr" className="flex flex-wrap gap-x-3 font-mono text-sm text-dim">
        {files.map((file) => <li key={file}>{file}</li>)}
      </ul>
      <p className="mt-1">Starts with:</p>
      <code dir="ltr" className={CODE}>{command}</code>
      {build !== null && (
        <>
          <p className="mt-1">When a source file changes, this runs and the member restarts:</p>
          <code dir="ltr" className={CODE}>{build}</code>
        </>
      )}
      <p data-testid="writing-setup" className="text-sm text-dim">{setUp.length > 0 ? "You'll run one setup command in a terminal first." : "No setup needed."}</p>
    </section>
  );
}

/** The folder that was created, and the setup commands that the user has to run there. */
function Begun({ begun: { member, folder, setUp }, onAnother }: { begun: CreatedMember; onAnother: () => void }) {
  const navigation = useNavigation();
  const roster = useRosterPanel();
  const open = useRef<HTMLButtonElement>(null);
  // The focus was lost when the Create button was removed.
  useEffect(() => open.current?.focus(), []);
  return (
    <section data-testid="writing-done" aria-label={begunWords(member)} className="flex flex-col gap-3">
      <p>
        <Sign of="check" className="text-ok me-1" />
        {begunWords(member)}
      </p>
      <Line text={folder} what="the folder" />
      {setUp.length > 0 && (
        <div role="group" aria-label="Setup">
          <p>Run once in that folder:</p>
          {setUp.map((line) => <Line key={line} text={line} />)}
        </div>
      )}
      <p className="text-dim">It's in your roster. Its Dev tab shows what each change does.</p>
      <Foot close="Close">
        <Button onClick={onAnother}>Create another</Button>
        <Button ref={open} look="accent" onClick={() => openBegun({ navigation, roster }, member)}>Open {member}</Button>
      </Foot>
    </section>
  );
}

/** One line of code with a copy button. */
function Line({ text, what = "the command" }: { text: string; what?: string }) {
  return (
    <div className="mt-1 flex items-start gap-2">
      <code dir="ltr" className={`${CODE} min-w-0 flex-1`}>{text}</code>
      <CopyButton what={what} text={() => text} />
    </div>
  );
}
