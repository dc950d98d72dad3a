import { use } from "react";

import type { Code } from "../ipc/bindings";
import { anchorOfCode } from "../lib/navigation/anchors";
import { NavigationContext } from "../lib/navigation/navigation";
import { Tooltip } from "./Tooltip";

const openCode = (code: string) => `${code}: what it means and what to do`;

interface Props {
  readonly code: Code;
  readonly className?: string;
  /** The key that opens the explanation, if the code is in a list row whose controls are not in the Tab order. */
  readonly rowKey?: string;
}

/** An error code that links to its explanation in Help. Without a `NavigationContext`, it is plain text. */
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
          // Without this call, the click would also select the row.
          if (rowKey !== undefined) event.stopPropagation();
          navigation.openHelp(anchorOfCode(code));
        }}
      >
        {code}
      </button>
    </Tooltip>
  );
}
