import { createElement } from "react";

import { LOGO } from "./logoParts";

/** The program's mark. */
export function Logo() {
  return (
    <svg aria-hidden viewBox="16 16 480 480" width="20" height="20" className="shrink-0">
      {LOGO.map(([tag, attributes], index) => createElement(tag, { ...attributes, key: index }))}
    </svg>
  );
}
