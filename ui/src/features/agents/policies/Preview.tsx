/**
 * The list of tools whose permissions the rules change, and a warning about members whose hints (such as read-only)
 * decide permissions and can change without a review.
 */
import type { MemberName, PolicyPreview, ProfileName, PolicyDecision } from "../../../ipc/bindings";
import { asRefusal } from "../../../ipc/bridge";
import { Button } from "../../../components/Button";
import { Sign } from "../../../components/Icon";
import { number } from "../../../lib/format";
import { useHall } from "../../../lib/hall/hall";
import { POLICY_FACES } from "../faces";
import { reasonWords } from "./policyWords";

/** A warning that the rules depend on the labels (hints) of the named members. */
const noProof = (members: readonly string[], more: number) =>
  `Rules trust the server's labels. ${members.join(", ")}${more > 0 ? ` and ${number(more)} more` : ""} can change them at any time.`;

/** Maximum number of changed tools in the list. */
const NAMED_MAX = 200;
const UNHELD_NAMED = 5;

export function Preview({ preview: { changes, total }, profile }: { preview: PolicyPreview; profile: ProfileName | null }) {
  const shown = changes.slice(0, NAMED_MAX);
  if (shown.length === 0) return null;
  return (
    // The Tab stop lets keyboard users scroll the list.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <ul aria-label="Changes" tabIndex={0} className="max-h-40 overflow-y-auto rounded-sm border border-line px-2 py-1 text-sm">
      {shown.map(({ member, tool, before, after }) => (
        <li key={`${member}/${tool}`} className="flex flex-wrap gap-x-2">
          <span className="min-w-0 break-words"><bdi className="text-dim">{member}</bdi> <bdi>{tool}</bdi></span>
          <Says ruling={before} profile={profile} />
          <Sign of="forward" className="rtl:-scale-x-100" />
          <span className="sr-only">becomes</span>
          <Says ruling={after} profile={profile} />
        </li>
      ))}
      {total > shown.length && <li className="text-dim">and {number(total - shown.length)} more</li>}
    </ul>
  );
}

/** A warning about members whose labels decide permissions and can change without a review. */
export function Unheld({ members }: { members: readonly MemberName[] }) {
  const hall = useHall();
  const hold = () => {
    for (const member of members) {
      hall.ask("hold_changes", { member, hold: true }).catch((reason: unknown) => hall.tell(asRefusal(reason).report));
    }
  };
  return (
    <p className="flex flex-wrap items-center gap-2 text-sm">
      <span data-testid="rules-warning" className="min-w-0 break-words">
        <Sign of="warning" className="text-warn me-1" />
        {noProof(members.slice(0, UNHELD_NAMED), Math.max(0, members.length - UNHELD_NAMED))}
      </span>
      <Button onClick={hold}>Require review of changes</Button>
    </p>
  );
}

function Says({ ruling: { policy, reason }, profile }: { ruling: PolicyDecision; profile: ProfileName | null }) {
  const { shape, word, colour } = POLICY_FACES[policy];
  return (
    <span>
      <Sign of={shape} className={`me-1 ${colour}`} />{word} <span className="text-dim">({reasonWords(reason, profile)})</span>
    </span>
  );
}
