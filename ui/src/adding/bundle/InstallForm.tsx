/** What a bundle asks, what its member is called or which one it is put into, and how the install fares. */
import { useEffect, useId, useRef, useState } from "react";

import { useHouse } from "../../app/house";
import type { McpbInstalled, McpbLook } from "../../bridge/bindings";
import { wrongNames } from "../../found/adoption";
import { exact } from "../../found/words";
import { useStore } from "../../hall/store";
import { Button } from "../../parts/Button";
import { Trouble } from "../../parts/Trouble";
import { AnswerForm } from "../AnswerForm";
import { NameField } from "../NameField";
import type { Installing } from "./bundleBook";
import { bytesWords, CHANGE } from "./words";

export function InstallForm({ look }: { look: McpbLook }) {
  const house = useHouse();
  const { bundles, hall, spoken } = house;
  const { installed, suggested, asks, about } = look;
  const members = useStore(hall.state, (state) => state.members);
  const installing = useStore(bundles.installing, (now) => now);
  const refused = useStore(bundles.refused, (now) => now);
  // The one that it is put in the place of; `null` for a new member.
  const [into, setInto] = useState(installed[0]?.member ?? null);
  const [name, setName] = useState<string>(suggested);
  const before = installed.find(({ member }) => member === into);
  const wrong = before ? undefined : wrongNames(new Map([[look.digest, { called: about.title, name }]]), members).get(look.digest);
  const go = async (answers: string) => {
    const done = await bundles.install(look, before?.member ?? name, before !== undefined, answers);
    if (done === null) return;
    const is = done.replaced === null ? "is a member now" : `has ${about.version} in the place of ${done.replaced}`;
    spoken.set(`${done.member} ${is}. It runs when you have accepted what it runs.`);
    bundles.forget();
    house.openReview(done.member);
  };
  return (
    <section aria-label="Install" className="flex flex-col gap-2">
      {installed.length > 0 && <Places installed={installed} into={into} onInto={setInto} />}
      <AnswerForm
        key={into ?? ""}
        asks={before?.asks ?? asks}
        label={before ? `Put it in the place of ${exact(before.version)}` : "Install"}
        unavailable={installing ? "It is being installed" : wrong}
        onAnswers={(answers) => void go(answers)}
      >
        {!before && <NameField name={name} onName={setName} wrong={wrong} />}
        <p className="text-sm text-dim">
          Installing unpacks it into the member&apos;s folder. It starts when you have accepted what it runs, on the page that follows.
        </p>
        {refused && <Trouble report={refused} testid="bundle-refused" />}
      </AnswerForm>
      {installing && <Progress installing={installing} onCancel={() => bundles.cancel()} />}
    </section>
  );
}

interface PlacesProps {
  readonly installed: readonly McpbInstalled[];
  readonly into: string | null;
  readonly onInto: (member: string | null) => void;
}

/** Which member's bundle it takes the place of. */
function Places({ installed, into, onInto }: PlacesProps) {
  const group = useId();
  return (
    <fieldset className="flex flex-col gap-1">
      <legend className="font-semibold">This bundle is installed</legend>
      {installed.map(({ member, version, change }) => {
        const { shape, colour, word } = CHANGE[change];
        return (
          <label key={member} className="flex min-w-0 items-baseline gap-2">
            <input type="radio" name={group} className="shrink-0 translate-y-0.5" checked={into === member} onChange={() => onInto(member)} />
            <span className="min-w-0 wrap-anywhere">
              Put it in the place of version {exact(version)} of the member {member}; this one is{" "}
              <span className="whitespace-nowrap"><span aria-hidden className={colour}>{shape}</span> {word}</span>
            </span>
          </label>
        );
      })}
      <label className="flex items-baseline gap-2">
        <input type="radio" name={group} className="shrink-0 translate-y-0.5" checked={into === null} onChange={() => onInto(null)} />
        Make another member of it
      </label>
    </fieldset>
  );
}

function Progress({ installing: { done, of }, onCancel }: { installing: Installing; onCancel: () => void }) {
  const cancel = useRef<HTMLDivElement>(null);
  // The button that was pressed can't be pressed now; what can be done is to end it.
  useEffect(() => cancel.current?.querySelector("button")?.focus(), []);
  const words = of === 0 ? "Reading it…" : `${bytesWords(done)} of ${bytesWords(of)} unpacked`;
  return (
    <div ref={cancel} className="flex flex-wrap items-center gap-2">
      <progress aria-label="Unpacked" max={of === 0 ? 1 : of} value={of === 0 ? undefined : done} className="h-2 w-48" />
      <span className="text-dim" data-testid="bundle-progress">{words}</span>
      <Button onClick={onCancel}>Cancel</Button>
    </div>
  );
}
