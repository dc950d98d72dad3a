import type { InputHTMLAttributes, Ref } from "react";

import { Icon } from "./Icon";
import { SIGNS } from "./signs";

interface Props extends Omit<InputHTMLAttributes<HTMLInputElement>, "type" | "onChange"> {
  readonly label: string;
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly ref?: Ref<HTMLInputElement>;
}

/** A search field for a list. `className` sets its width. */
export function SearchField({ label, onValue, placeholder = label, className = "", ...rest }: Props) {
  return (
    <span className={`relative inline-flex min-w-0 ${className}`}>
      <Icon of={SIGNS.search} size={14} className="pointer-events-none absolute start-2 top-1.75 text-faint" />
      <input
        type="search"
        aria-label={label}
        placeholder={placeholder}
        spellCheck={false}
        autoComplete="off"
        maxLength={200}
        {...rest}
        onChange={(event) => onValue(event.target.value)}
        className="h-7 w-full min-w-0 rounded-sm border border-control bg-bg ps-7 pe-2 placeholder:text-faint"
      />
    </span>
  );
}
