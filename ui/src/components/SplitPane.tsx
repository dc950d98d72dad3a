import { useId, useRef, type CSSProperties, type ReactNode } from "react";

import { usePaneSizes } from "../lib/paneSizes";
import { useStore } from "../lib/store";
import { Divider } from "./Divider";

/** A pane keeps at least this share of the width. */
const LEAST = 20;
const MOST = 80;
const STEP = 2;

interface Props {
  /** Under which the size is kept. */
  name: string;
  /** The name of the size that the divider changes, such as `Width of the form`. */
  label: string;
  /** The first pane's share, in percent, until another is chosen. */
  share: number;
  /** Whether its container scrolls in a low window, so that it is shown in full height. */
  isPart?: boolean;
  /**
   * The two panes. The first takes its width from `--share`: `wide:w-(--share)`, which is the full width
   * without a second pane.
   */
  children: readonly [ReactNode, ReactNode | null];
}

/** Two panes side by side with a divider that keeps its place; in a narrow window one above the other. */
export function SplitPane({ name, label, share, isPart = false, children: [first, second] }: Props) {
  const size = usePaneSizes().of(name, LEAST, MOST);
  const chosen = useStore(size, (now) => now);
  const id = useId();
  const frame = useRef<HTMLDivElement>(null);
  return (
    <div
      ref={frame}
      id={id}
      style={{ "--share": `${second === null ? 100 : (chosen ?? share)}%` } as CSSProperties}
      className={`flex min-h-0 flex-1 flex-col overflow-y-auto wide:flex-row wide:overflow-hidden ${
        isPart ? "short:max-wide:flex-none short:max-wide:overflow-visible short:wide:min-h-72" : ""
      }`}
    >
      {first}
      {second !== null && (
        <Divider
          label={label}
          controls={id}
          value={chosen ?? share}
          least={LEAST}
          most={MOST}
          step={STEP}
          perPixel={() => 100 / Math.max(1, frame.current?.clientWidth ?? 1)}
          onValue={(value) => size.set(value)}
          className="max-wide:hidden"
        />
      )}
      {second}
    </div>
  );
}
