import type { IconNode } from "lucide";
import { createElement } from "react";

import { SIGNS, type SignName } from "./signs";

const camelCase = (name: string) => name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

interface IconProps {
  of: IconNode;
  /** Width and height in pixels. */
  size?: number;
  className?: string;
}

/** A lucide icon. It is hidden from screen readers, so it needs a text beside it or a labelled parent. */
export function Icon({ of, size = 16, className = "" }: IconProps) {
  return (
    <svg
      aria-hidden
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.75"
      strokeLinecap="round"
      strokeLinejoin="round"
      className={`inline-block shrink-0 ${className}`}
    >
      {of.map(([tag, attributes], index) =>
        createElement(tag, { ...Object.fromEntries(Object.entries(attributes).map(([name, value]) => [camelCase(name), value])), key: index }),
      )}
    </svg>
  );
}

/** A small icon inside a line of text, such as the symbol of a status. */
export function Sign({ of, className = "" }: { of: SignName; className?: string }) {
  return <Icon of={SIGNS[of]} size={14} className={`align-[-2px] ${of === "dashes" ? "animate-spin" : ""} ${className}`} />;
}
