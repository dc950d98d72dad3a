import { use } from "react";

import { HouseContext } from "../app/house";
import type { Code } from "../bridge/bindings";
import { anchorOfCode } from "../help/anchors";
import { words } from "../words/help";

/** The code of an error. It leads to what it means and what to do about it, where there is a window to show that. */
export function ErrorCode({ code, className = "" }: { code: Code; className?: string }) {
  const house = use(HouseContext);
  if (house === null) return <code className={`font-mono text-sm text-dim ${className}`}>{code}</code>;
  return (
    <button
      type="button"
      role="link"
      aria-label={words.openCode(code)}
      title={words.openCode(code)}
      className={`font-mono text-sm text-dim underline decoration-dotted hover:text-text ${className}`}
      onClick={() => house.openHelp(anchorOfCode(code))}
    >
      {code}
    </button>
  );
}
