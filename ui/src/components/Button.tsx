import type { ButtonHTMLAttributes, Ref } from "react";

import { Tooltip } from "./Tooltip";

type Look = "plain" | "accent" | "quiet" | "danger";

const LOOKS: Record<Look, string> = {
  plain: "border border-line bg-raised shadow-low hover:bg-hover text-text",
  accent: "border border-transparent bg-solid text-solid-text hover:brightness-110",
  danger: "border border-transparent bg-bad text-bg hover:brightness-110",
  quiet: "border border-transparent text-dim hover:bg-hover hover:text-text",
};

interface Props extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, "disabled"> {
  look?: Look;
  /** The text of the tooltip. */
  title?: string | undefined;
  ref?: Ref<HTMLButtonElement>;
  /** The reason why the button is disabled, shown as tooltip. The button stays focusable so that users can read it. */
  unavailable?: string | undefined;
}

/** A button. While it is disabled, its tooltip explains why. */
export function Button({ look = "plain", unavailable, className = "", title, onClick, ...rest }: Props) {
  const text = unavailable ?? title;
  return (
    <Tooltip text={text}>
      <button
        type="button"
        // oxlint-disable-next-line jsx-a11y/role-supports-aria-props -- ARIA 1.3 property that all web views support
        aria-description={text === rest["aria-label"] ? undefined : text}
        {...rest}
        aria-disabled={unavailable !== undefined}
        onClick={unavailable === undefined ? onClick : undefined}
        className={`inline-flex h-7 shrink-0 items-center justify-center gap-1.5 rounded-sm px-2.5 font-medium whitespace-nowrap aria-disabled:opacity-50 slim:h-auto slim:min-h-7 slim:shrink slim:whitespace-normal ${LOOKS[look]} ${className}`}
      />
    </Tooltip>
  );
}
