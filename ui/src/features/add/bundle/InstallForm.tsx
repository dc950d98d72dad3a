/**
 * The install form of a bundle: its questions, the name of the new member or the member to replace, and the
 * progress of the install.
 */
import { useEffect, useId, useRef, type Ref } from "react";

import type { McpbInstalled, McpbLook } from "../../../ipc/bindings";
import { useHall } from "../../../lib/hall/hall";
import { useLayers } from "../../../lib/layers";
import { useNavigation } from "../../../lib/navigation/navigation";
import { useSpoken } from "../../../lib/spoken";
import { wrongNames } from "../found/selection";
import { Sign } from "../../../components/Icon";
import { exact } from "../../../lib/exact";
import { useStore } from "../../../lib/store";
import { Button } from "../../../components/Button";
import { isFocusNowhere } from "../../../lib/focus";
import { ErrorReport } from "../../../components/ErrorReport";
import { AnswerForm } from "../AnswerForm";
import { arrive, leaving } from "../arrive";
import { NameField } from "../NameField";
import { useTyped } from "../typed";
import { type Installing, useBundleStore } from "./bundleStore";
import { sizeWord } from "../../results/content";
import { CHANGE } from "./faces";

export function InstallForm({ look }: { look: McpbLook }) {
  const bundles = useBundleStore();
  const hall = useHall();
  const layers = useLayers();
  const navigation = useNavigation();
  const spoken = useSpoken();
  const { installed, suggested, asks, about } = look;
  const members = useStore(hall.state, (state) => state.members);
  const installing = useStore(bundles.installing, (now) => now);
  const refused = useStore(bundles.refused, (now) => now);
  // `target` is the name of the member that the bundle replaces, or an empty string for a new member.
  const { typed } = bundles;
  const [target, setTarget] = useTyped(typed.targets, look.digest, () => installed[0]?.member ?? "");
  const [name, setName] = useTyped<string>(typed.names, look.digest, () => suggested);
  const before = installed.find(({ member }) => member === target);
  const into = before?.member ?? null;
  const wrong = before ? undefined : wrongNames(new Map([[look.digest, { called: about.title, name }]]), members).get(look.digest);
  // Focuses the Cancel button when an install begins, and the Install button when the install ends without a result.
  // The focus does not move when the user returns to the form.
  const cancel = useRef<HTMLButtonElement>(null);
  const again = useRef<HTMLButtonElement>(null);
  const isInstalling = installing !== null;
  const wasInstalling = useRef(isInstalling);
  useEffect(() => {
    if (isInstalling && !wasInstalling.current) cancel.current?.focus();
    else if (!isInstalling && wasInstalling.current && isFocusNowhere()) again.current?.focus();
    wasInstalling.current = isInstalling;
  }, [isInstalling]);
  const go = async (answers: string) => {
    const isLeft = leaving({ layers, navigation });
    const done = await bundles.install(look, before?.member ?? name, before !== undefined, answers);
    if (done === null) return;
    const summary = done.replaced === null ? `${done.member} was added. Review it to start.` : `${done.member} was updated from ${done.replaced} to ${about.version}. Review it to start.`;
    const left = isLeft() || bundles.looked.get()?.look !== look;
    bundles.forget(look);
    arrive({ navigation, spoken }, left, summary, done);
  };
  return (
    <section aria-label="Install" className="flex flex-col gap-2">
      {installed.length > 0 && <Places installed={installed} into={into} onInto={(member) => setTarget(member ?? "")} />}
      <AnswerForm
        key={into ?? ""}
        asks={before?.asks ?? asks}
        typed={typed}
        typedAs={`${look.digest} ${into ?? ""}`}
        label={before ? `Replace ${exact(before.version)}` : "Install"}
        unavailable={installing ? "Installing…" : wrong}
        onAnswers={(answers) => void go(answers)}
        button={again}
      >
        {!before && <NameField name={name} onName={setName} wrong={wrong} />}
        <p className="text-sm text-dim">
          You review what it runs before it starts.
        </p>
        {refused && <ErrorReport report={refused} testid="bundle-refused" />}
      </AnswerForm>
      {installing && <Progress ref={cancel} installing={installing} onCancel={() => bundles.cancel()} />}
    </section>
  );
}

interface PlacesProps {
  readonly installed: readonly McpbInstalled[];
  readonly into: string | null;
  readonly onInto: (member: string | null) => void;
}

/** Radio buttons for the members that the bundle can replace. */
function Places({ installed, into, onInto }: PlacesProps) {
  const group = useId();
  return (
    <fieldset className="flex flex-col gap-1">
      <legend className="font-semibold">Already installed</legend>
      {installed.map(({ member, version, change }) => {
        const { shape, colour, word } = CHANGE[change];
        return (
          <label key={member} className="flex min-w-0 items-baseline gap-2">
            <input type="radio" name={group} checked={into === member} onChange={() => onInto(member)} />
            <span className="min-w-0 wrap-anywhere">
              Replace version {exact(version)} of {member}: this bundle is <span className="whitespace-nowrap"><Sign of={shape} className={`me-1 ${colour}`} />{word}</span>
            </span>
          </label>
        );
      })}
      <label className="flex items-baseline gap-2">
        <input type="radio" name={group} checked={into === null} onChange={() => onInto(null)} />
        Add another member
      </label>
    </fieldset>
  );
}

interface ProgressProps {
  readonly ref: Ref<HTMLButtonElement>;
  readonly installing: Installing;
  readonly onCancel: () => void;
}

function Progress({ ref, installing: { done, of }, onCancel }: ProgressProps) {
  const says = of === 0 ? "Reading…" : `${sizeWord(done)} of ${sizeWord(of)} unpacked`;
  return (
    <div className="flex flex-wrap items-center gap-2">
      <progress aria-label="Unpacked" max={of === 0 ? 1 : of} value={of === 0 ? undefined : done} className="h-2 w-48" />
      <span className="text-dim" data-testid="bundle-progress">{says}</span>
      <Button ref={ref} onClick={onCancel}>Stop the install</Button>
    </div>
  );
}
