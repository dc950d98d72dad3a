/** The tools whose policy would be another one, and whose servers' word that would rest on. */
import { useHouse } from "../../app/house";
import type { PolicyPreview, ProfileName, Ruling } from "../../bridge/bindings";
import { asRefusal } from "../../bridge/bridge";
import { Button } from "../../parts/Button";
import { policyFace } from "../words";
import { reasonWords } from "./policyWords";

/** So many tools are named at most. */
const NAMED_MAX = 200;

export function Preview({ preview: { changes, total, unheld }, profile }: { preview: PolicyPreview; profile: ProfileName | null }) {
  const { hall } = useHouse();
  const shown = changes.slice(0, NAMED_MAX);
  const hold = () => {
    for (const member of unheld) {
      hall.ask("hold_changes", { member, hold: true }).catch((reason: unknown) => hall.tell(asRefusal(reason).report));
    }
  };
  return (
    <>
      {shown.length > 0 && (
        // A list that scrolls has to be reached by keys.
        // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        <ul aria-label="What would change" tabIndex={0} className="max-h-40 overflow-y-auto rounded-sm border border-line px-2 py-1 text-sm">
          {shown.map(({ member, tool, before, after }) => (
            <li key={`${member}/${tool}`} className="flex flex-wrap gap-x-2">
              <span className="min-w-0 break-words"><bdi className="text-dim">{member}</bdi> <bdi>{tool}</bdi></span>
              <Says ruling={before} profile={profile} />
              <span aria-hidden>→</span>
              <span className="sr-only">becomes</span>
              <Says ruling={after} profile={profile} />
            </li>
          ))}
          {total > shown.length && <li className="text-dim">and {(total - shown.length).toLocaleString("en")} more</li>}
        </ul>
      )}
      {unheld.length > 0 && (
        <p className="flex flex-wrap items-center gap-2 text-sm">
          <span className="min-w-0 break-words">
            <span aria-hidden className="text-warn">▲ </span>
            These rules go by what servers say, which is no proof. {unheld.slice(0, 5).join(", ")}
            {unheld.length > 5 && ` and ${unheld.length - 5} more`} may say something else of their tools tomorrow, and agents would get it at once.
          </span>
          <Button onClick={hold}>Hold their changes back</Button>
        </p>
      )}
    </>
  );
}

function Says({ ruling: { policy, reason }, profile }: { ruling: Ruling; profile: ProfileName | null }) {
  const { shape, word, colour } = policyFace(policy);
  return (
    <span>
      <span aria-hidden className={colour}>{shape}</span> {word} <span className="text-dim">({reasonWords(reason, profile)})</span>
    </span>
  );
}
