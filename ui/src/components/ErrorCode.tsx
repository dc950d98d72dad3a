import { use } from "react";

import type { Code } from "../ipc/bindings";
import { anchorOfCode } from "../lib/navigation/anchors";
import { NavigationContext } from "../lib/navigation/navigation";
import { Tooltip } from "./Tooltip";

const openCode = (code: string) => `${code}: what it means and what to do`;

interface Props {
  readonly code: Code;
  readonly className?: string;
  /** The key that does the same, for a row with controls outside the Tab order. */
  readonly rowKey?: string;
}

/** The code of an error. It leads to what it means and what to do about it, where there is a window to show that. */
export function ErrorCode({ code, className = "", rowKey }: Props) {
  const navigation = use(NavigationContext);
  if (navigation === null) return <code className={`font-mono text-sm text-dim ${className}`}>{code}</code>;
  return (
    <Tooltip text={rowKey === undefined ? openCode(code) : `${openCode(code)} (${rowKey})`}>
      <button
        type="button"
        role="link"
        aria-label={openCode(code)}
        tabIndex={rowKey === undefined ? undefined : -1}
        className={`font-mono text-sm text-dim underline decoration-dotted hover:text-text ${className}`}
        onClick={(event) => {
          // A row that is pressed is chosen; this leads away from it.
          if (rowKey !== undefined) event.stopPropagation();
          navigation.openHelp(anchorOfCode(code));
        }}
      >
        {code}
      </button>
    </Tooltip>
  );
}
