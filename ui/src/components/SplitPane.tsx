import { useId, useRef, type CSSProperties, type ReactNode } from "react";

import { usePaneSizes } from "../lib/paneSizes";
import { useStore } from "../lib/store";
import { Divider } from "./Divider";

/** The minimum width of the first pane, in percent of the total width. */
const LEAST = 20;
const MOST = 80;
const STEP = 2;

interface Props {
  /** The name under which `PaneSizes` stores the size. */
  name: string;
  /** The name of the size that the divider changes, such as `Width of the form`. */
  label: string;
  /** The default width of the first pane, in percent. */
  share: number;
  /** Whether the parent scrolls in windows of small height. The panes then keep their full height. */
  isPart?: boolean;
  /**
   * The two panes; the second can be `null`. The first pane must set its width with the class `wide:w-(--share)`.
   * `--share` is 100 % without a second pane.
   */
  children: readonly [ReactNode, ReactNode | null];
}

/** Two panes side by side with a divider, whose position is stored. In a narrow window, the panes are stacked. */
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
