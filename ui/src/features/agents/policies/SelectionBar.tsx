/** A bar with actions for the selected tools and a button that undoes the last change. */
import { PART_KEYS } from "../../../lib/keys/actionKeys";
import type { Policy } from "../../../ipc/bindings";
import { useStore } from "../../../lib/store";
import { Button } from "../../../components/Button";
import { Sign } from "../../../components/Icon";
import { counted } from "../../../lib/format";
import { keyLabel } from "../../../lib/keys/keyLabel";
import { useAgents } from "../agents";
import { POLICY_ORDER, POLICY_FACES } from "../faces";

interface Props {
  readonly chosen: number;
  readonly onPolicy: (policy: Policy | null) => void;
  readonly onNone: () => void;
  readonly onUndo: () => void;
}

export function SelectionBar({ chosen, onPolicy, onNone, onUndo }: Props) {
  const agents = useAgents();
  const undo = useStore(agents.policies.undo, (now) => now);
  if (chosen === 0 && undo === null) return null;
  return (
    <div className="flex shrink-0 flex-wrap items-center gap-2 border-b border-line bg-sidebar px-5 py-1.5" data-testid="policy-selection">
      {chosen > 0 && (
        <div role="group" aria-label="Selected tools" className="flex flex-wrap items-center gap-2">
          <span role="status">{counted(chosen, { one: "tool", other: "tools" })} selected</span>
          {POLICY_ORDER.map((policy) => (
            <Button key={policy} onClick={() => onPolicy(policy)}>
              <Sign of={POLICY_FACES[policy].shape} className={`me-1 ${POLICY_FACES[policy].colour}`} />{POLICY_FACES[policy].word}
            </Button>
          ))}
          <Button onClick={() => onPolicy(null)}>Inherit</Button>
          <Button look="quiet" onClick={onNone}>Clear selection</Button>
        </div>
      )}
      {undo && (
        <Button look="quiet" className="ms-auto max-w-full" title={`${keyLabel(PART_KEYS.undo)} in the table`} onClick={onUndo}>
          <span className="truncate">Undo {undo.what}</span>
        </Button>
      )}
    </div>
  );
}
