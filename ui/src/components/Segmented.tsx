import { ToggleGroup } from "radix-ui";
import type { ReactNode } from "react";

import { keyOf } from "./Select";

/** The classes of a segmented control, and of one segment in it. */
export const SEGMENTS = "inline-flex h-7 shrink-0 items-stretch gap-0.5 rounded-sm bg-hover p-0.5";
export const SEGMENT =
  "rounded-xs px-2.5 font-medium text-dim hover:text-text data-[state=active]:bg-seg-on data-[state=active]:text-text data-[state=active]:shadow-low data-[state=on]:bg-seg-on data-[state=on]:text-text data-[state=on]:shadow-low";

interface Props<Value extends string> {
  readonly value: Value;
  readonly options: readonly { readonly value: Value; readonly label: ReactNode }[];
  readonly onValue: (value: Value) => void;
  readonly id?: string;
  readonly "aria-label"?: string;
  readonly "aria-labelledby"?: string;
  readonly "aria-describedby"?: string | undefined;
  readonly "aria-invalid"?: boolean | undefined;
  readonly "aria-required"?: boolean | undefined;
  readonly className?: string;
}

/** A segmented control: a radio group whose options are all visible, for a few short values. */
export function Segmented<Value extends string>({ value, options, onValue, className = "", ...rest }: Props<Value>) {
  return (
    <ToggleGroup.Root
      {...rest}
      type="single"
      role="radiogroup"
      data-segmented
      value={keyOf(value)}
      // For a click on the selected segment, Radix reports the empty string, which matches no option.
      onValueChange={(key) => {
        const option = options.find((one) => keyOf(one.value) === key);
        if (option) onValue(option.value);
      }}
      className={`${SEGMENTS} max-w-full aria-invalid:outline aria-invalid:outline-bad ${className}`}
    >
      {options.map((option) => (
        <ToggleGroup.Item key={option.value} value={keyOf(option.value)} className={`${SEGMENT} min-w-0 truncate`}>
          {option.label}
        </ToggleGroup.Item>
      ))}
    </ToggleGroup.Root>
  );
}
