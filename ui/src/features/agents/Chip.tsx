import { Select } from "../../components/Select";

interface Props<T extends string> {
  readonly label: string;
  /** The option that clears the filter. */
  readonly any: string;
  readonly value: T | null;
  readonly choices: readonly T[];
  readonly word?: (one: T) => string;
  readonly onValue: (value: T | null) => void;
}

/** One filter of a table as a pill: its name, or the selected value. */
export function Chip<T extends string>({ label, any, value, choices, word = (one) => one, onValue }: Props<T>) {
  return (
    <Select<string>
      aria-label={label}
      placeholder={label}
      className={`h-6! max-w-48 gap-1! rounded-full! text-sm font-medium ${value === null ? "border-line! text-dim" : "border-transparent! bg-selected!"}`}
      // Without a value, the pill shows its name.
      value={value ?? " "}
      options={[{ value: "", label: any }, ...choices.map((one) => ({ value: one, label: word(one) }))]}
      onValue={(next) => onValue(choices.find((one) => one === next) ?? null)}
    />
  );
}
