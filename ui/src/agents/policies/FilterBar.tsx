/** What the table of tools is narrowed to, and how it is ordered. */
import type { DiscoveryStatus, MemberName } from "../../bridge/bindings";
import { SELECT } from "../EndpointPicker";
import { POLICY_ORDER, policyFace } from "../faces";
import { ORDERS, type Order, type RowFilter } from "./catalogRows";
import { classWords, discoveryFace, REASON_KINDS, reasonKindWord, TOOL_CLASSES } from "./policyWords";

const ORDER_WORDS: Record<Order, string> = {
  name: "by member and tool",
  policy: "the strictest first",
  kind: "the riskiest kind first",
  newest: "the last read first",
};

const STATUSES: readonly DiscoveryStatus[] = ["success", "discovering", "failed", "never"];

interface Props {
  readonly filter: RowFilter;
  readonly onFilter: (filter: RowFilter) => void;
  readonly order: Order;
  readonly onOrder: (order: Order) => void;
  readonly members: readonly MemberName[];
  /** How many are shown, in words. */
  readonly count: string;
}

export function FilterBar({ filter, onFilter, order, onOrder, members, count }: Props) {
  const narrow = (changes: Partial<RowFilter>) => onFilter({ ...filter, ...changes });
  return (
    <div role="search" aria-label="Tools" className="flex shrink-0 flex-wrap items-center gap-2 border-b border-line px-4 py-2">
      <input
        type="search"
        aria-label="Words of name and description"
        placeholder="Words of name and description…"
        autoComplete="off"
        spellCheck={false}
        maxLength={200}
        value={filter.text}
        onChange={(event) => narrow({ text: event.target.value })}
        className="h-6 min-w-32 flex-[0_1_260px] rounded-sm border border-line-strong bg-bg px-2 placeholder:text-faint"
      />
      <select aria-label="Member" className={SELECT} value={filter.member ?? ""} onChange={(event) => narrow({ member: event.target.value || null })}>
        <option value="">any member</option>
        {members.map((member) => (
          <option key={member}>{member}</option>
        ))}
      </select>
      <Choice
        label="Policy"
        any="any policy"
        value={filter.policy}
        choices={POLICY_ORDER}
        word={(one) => policyFace(one).word}
        onValue={(policy) => narrow({ policy })}
      />
      <Choice
        label="Decided by"
        any="decided by anything"
        value={filter.reason}
        choices={REASON_KINDS}
        word={reasonKindWord}
        onValue={(reason) => narrow({ reason })}
      />
      <Choice
        label="What the server says of it"
        any="any kind"
        value={filter.toolClass}
        choices={TOOL_CLASSES}
        word={(one) => classWords(one).word}
        onValue={(toolClass) => narrow({ toolClass })}
      />
      <Choice
        label="State"
        any="any state"
        value={filter.status}
        choices={[...STATUSES, "withheld"] as const}
        word={(one) => (one === "withheld" ? "withheld" : discoveryFace(one).word)}
        onValue={(status) => narrow({ status })}
      />
      <select aria-label="Order" className={SELECT} value={order} onChange={(event) => onOrder(ORDERS.find((one) => one === event.target.value) ?? "name")}>
        {ORDERS.map((one) => (
          <option key={one} value={one}>{ORDER_WORDS[one]}</option>
        ))}
      </select>
      <span role="status" className="text-sm text-dim" data-testid="policy-count">{count}</span>
    </div>
  );
}

interface ChoiceProps<T extends string> {
  readonly label: string;
  readonly any: string;
  readonly value: T | null;
  readonly choices: readonly T[];
  readonly word: (one: T) => string;
  readonly onValue: (value: T | null) => void;
}

function Choice<T extends string>({ label, any, value, choices, word, onValue }: ChoiceProps<T>) {
  return (
    <select aria-label={label} className={SELECT} value={value ?? ""} onChange={(event) => onValue(choices.find((one) => one === event.target.value) ?? null)}>
      <option value="">{any}</option>
      {choices.map((one) => (
        <option key={one} value={one}>{word(one)}</option>
      ))}
    </select>
  );
}
