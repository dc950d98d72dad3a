import { useId } from "react";

/** A text field with its label above and a note below. */
export function TextField({ label, note, value, onValue }: { label: string; note: string; value: string; onValue: (value: string) => void }) {
  const id = useId();
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="font-medium">{label}</label>
      <input
        id={id}
        className="h-8 w-full max-w-md rounded-sm border border-control bg-bg px-2"
        value={value}
        autoComplete="off"
        spellCheck={false}
        maxLength={2_000}
        aria-describedby={`${id}-note`}
        onChange={({ target }) => onValue(target.value)}
      />
      <p id={`${id}-note`} className="text-sm break-words text-dim">{note}</p>
    </div>
  );
}
