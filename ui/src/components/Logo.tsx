import { createElement } from "react";

import { LOGO } from "./logoParts";

export function Logo({ size = 20 }: { size?: number }) {
  return (
    <svg aria-hidden viewBox="16 16 480 480" width={size} height={size} className="shrink-0">
      {LOGO.map(([tag, attributes], index) => createElement(tag, { ...attributes, key: index }))}
    </svg>
  );
}
