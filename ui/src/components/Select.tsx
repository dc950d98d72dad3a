import { Select as Radix } from "radix-ui";
import type { ComponentProps, ReactNode } from "react";

import { Icon } from "./Icon";
import { SIGNS } from "./signs";

interface SelectOption<Value extends string> {
  readonly value: Value;
  readonly label: ReactNode;
  /** A second line, shown only in the open list. */
  readonly hint?: ReactNode;
  readonly disabled?: boolean;
}

interface Props<Value extends string> extends Omit<ComponentProps<"button">, "value" | "onChange" | "dir" | "disabled"> {
  readonly value: Value;
  readonly options: readonly SelectOption<Value>[];
  readonly onValue: (value: Value) => void;
  /** The text shown if no option has the value `value`. */
  readonly placeholder?: ReactNode;
  /** The reason why the select is disabled; `undefined` if it is enabled. */
  readonly unavailable?: string | undefined;
}

/** The value that is passed to Radix. The prefix is needed because Radix reserves the empty string for "no value". */
export const keyOf = (value: string) => `=${value}`;

/** A select: a button with the current value that opens a list of options. */
export function Select<Value extends string>({ value, options, onValue, placeholder, unavailable, className = "", ...rest }: Props<Value>) {
  const known = options.some((option) => option.value === value);
  return (
    <Radix.Root
      value={known ? keyOf(value) : ""}
      disabled={unavailable !== undefined}
      onValueChange={(key) => {
        const option = options.find((one) => keyOf(one.value) === key);
        if (option) onValue(option.value);
      }}
    >
      <Radix.Trigger
        {...rest}
        className={`inline-flex h-7 min-w-0 items-center justify-between gap-2 rounded-sm border border-control bg-bg px-2 text-start hover:bg-hover data-[disabled]:opacity-50 aria-invalid:border-bad ${className}`}
      >
        <span className="truncate">
          <Radix.Value placeholder={placeholder} />
        </span>
        <Icon of={SIGNS.chevronDown} size={14} className="text-dim" />
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          position="popper"
          sideOffset={4}
          collisionPadding={8}
          className="z-50 max-h-[min(360px,var(--radix-select-content-available-height))] min-w-(--radix-select-trigger-width) max-w-[min(420px,calc(100vw-24px))] animate-appear overflow-hidden rounded-md border border-line bg-raised shadow-(--shadow)"
        >
          <Radix.ScrollUpButton className="flex justify-center py-1 text-dim">
            <Icon of={SIGNS.chevronUp} size={14} />
          </Radix.ScrollUpButton>
          <Radix.Viewport className="p-1">
            {options.map((option) => (
              <Radix.Item
                key={option.value}
                value={keyOf(option.value)}
                disabled={option.disabled ?? false}
                className="relative flex flex-col rounded-sm py-1 ps-7 pe-3 outline-none select-none data-[disabled]:text-faint data-[highlighted]:bg-hover"
              >
                <Radix.ItemIndicator className="absolute start-2 top-1.5 text-accent">
                  <Icon of={SIGNS.check} size={14} />
                </Radix.ItemIndicator>
                <Radix.ItemText>{option.label}</Radix.ItemText>
                {option.hint !== undefined && <span className="text-sm text-dim">{option.hint}</span>}
              </Radix.Item>
            ))}
          </Radix.Viewport>
          <Radix.ScrollDownButton className="flex justify-center py-1 text-dim">
            <Icon of={SIGNS.chevronDown} size={14} />
          </Radix.ScrollDownButton>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
