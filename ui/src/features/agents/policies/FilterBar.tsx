/** The filters and the sort order of the permission table. */
import type { MemberName } from "../../../ipc/bindings";
import { SearchField } from "../../../components/SearchField";
import { Chip } from "../Chip";
import { POLICY_ORDER, POLICY_FACES } from "../faces";
import { ORDERS, type Order, type RowFilter } from "./catalogRows";
import { CLASS_WORDS, DISCOVERY_FACES, REASON_KINDS, REASON_KIND_WORDS, TOOL_CLASSES } from "./policyWords";

const ORDER_WORDS: Record<Order, string> = { name: "Name", policy: "Strictest", kind: "Riskiest", newest: "Newest" };

interface Props {
  readonly filter: RowFilter;
  readonly onFilter: (filter: RowFilter) => void;
  readonly order: Order;
  readonly onOrder: (order: Order) => void;
  readonly members: readonly MemberName[];
  /** The number of shown tools as text, such as `2 of 3 tools`. */
  readonly count: string;
}

export function FilterBar({ filter, onFilter, order, onOrder, members, count }: Props) {
  const isFiltered = Object.values(filter).some(Boolean);
  const narrow = (changes: Partial<RowFilter>) => onFilter({ ...filter, ...changes });
  return (
    <div role="search" aria-label="Tools" className="flex shrink-0 flex-wrap items-center gap-1.5 border-b border-line px-5 py-2.5">
      <SearchField label="Filter tools" placeholder="Filter tools…" value={filter.text} onValue={(text) => narrow({ text })} className="max-w-42 min-w-28 flex-[1_1_112px]" />
      <Chip label="Member" any="Any member" value={filter.member} choices={members} onValue={(member) => narrow({ member })} />
      <Chip label="Hints" any="Any hints" value={filter.toolClass} choices={TOOL_CLASSES} word={(one) => CLASS_WORDS[one].word} onValue={(toolClass) => narrow({ toolClass })} />
      <Chip label="Permission" any="Any permission" value={filter.policy} choices={POLICY_ORDER} word={(one) => POLICY_FACES[one].word} onValue={(policy) => narrow({ policy })} />
      <Chip label="Source" any="Any source" value={filter.reason} choices={REASON_KINDS} word={(one) => REASON_KIND_WORDS[one]} onValue={(reason) => narrow({ reason })} />
      <Chip
        label="State"
        any="Any state"
        value={filter.status}
        choices={["success", "discovering", "failed", "never", "withheld"] as const}
        word={(one) => (one === "withheld" ? "Hidden" : DISCOVERY_FACES[one].word)}
        onValue={(status) => narrow({ status })}
      />
      <Chip label="Sort" any="Name" value={order === "name" ? null : order} choices={ORDERS.slice(1)} word={(one) => `Sort: ${ORDER_WORDS[one]}`} onValue={(next) => onOrder(next ?? "name")} />
      <span role="status" className={`ms-auto text-sm text-dim ${isFiltered ? "" : "max-wide:sr-only"}`} data-testid="policy-count">{count}</span>
    </div>
  );
}
