import { Select } from "../../components/Select";

interface Props<T extends string> {
  readonly label: string;
  /** The label of the option that clears the filter, such as "Any member". */
  readonly any: string;
  readonly value: T | null;
  readonly choices: readonly T[];
  readonly word?: (one: T) => string;
  readonly onValue: (value: T | null) => void;
}

/** A table filter as a pill-shaped select. The pill shows the selected value, or the label if no value is selected. */
export function Chip<T extends string>({ label, any, value, choices, word = (one) => one, onValue }: Props<T>) {
  return (
    <Select<string>
      aria-label={label}
      placeholder={label}
      className={`h-6! max-w-48 gap-1! rounded-full! text-sm font-medium ${value === null ? "border-line! text-dim" : "border-transparent! bg-selected!"}`}
      // A space matches no option. The select then shows its placeholder, which is the label.
      value={value ?? " "}
      options={[{ value: "", label: any }, ...choices.map((one) => ({ value: one, label: word(one) }))]}
      onValue={(next) => onValue(choices.find((one) => one === next) ?? null)}
    />
  );
}
