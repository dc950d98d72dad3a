/** A bar with actions for the selected tools. It covers the head of the table, so that no row moves. */
import type { Policy } from "../../../ipc/bindings";
import { Button } from "../../../components/Button";
import { Sign } from "../../../components/Icon";
import { counted } from "../../../lib/format";
import { POLICY_ORDER, POLICY_FACES } from "../faces";

interface Props {
  readonly chosen: number;
  readonly onPolicy: (policy: Policy | null) => void;
  readonly onNone: () => void;
}

export function SelectionBar({ chosen, onPolicy, onNone }: Props) {
  return (
    <div role="group" aria-label="Selected tools" data-testid="policy-selection" className="absolute inset-x-0 top-0 z-20 flex h-10 items-center gap-2 overflow-x-auto border-b border-line bg-sidebar px-5">
      <span role="status" className="font-medium whitespace-nowrap">{counted(chosen, { one: "tool", other: "tools" })} selected</span>
      {POLICY_ORDER.map((policy) => (
        <Button key={policy} onClick={() => onPolicy(policy)}>
          <Sign of={POLICY_FACES[policy].shape} className={`me-1 ${POLICY_FACES[policy].colour}`} />{POLICY_FACES[policy].word}
        </Button>
      ))}
      <Button onClick={() => onPolicy(null)}>Inherit</Button>
      <Button look="quiet" onClick={onNone}>Clear selection</Button>
    </div>
  );
}
