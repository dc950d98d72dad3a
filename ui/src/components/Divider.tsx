// Implements the focusable separator of ARIA: https://www.w3.org/TR/wai-aria-1.2/#separator
import { useRef, type KeyboardEvent, type PointerEvent } from "react";
import { Tooltip } from "./Tooltip";


interface Props {
  /** The direction in which the divider moves: `x` between panes side by side, `y` above a pane that grows upwards. */
  axis?: "x" | "y";
  /** The name of the size that the divider changes, for screen readers. */
  label: string;
  /** The id of the resized pane, or of the container of both panes, for `aria-controls`. */
  controls: string;
  value: number;
  least: number;
  most: number;
  /** The change of the value per press of an arrow key. */
  step: number;
  /** Returns the change of the value per pixel of pointer movement. */
  perPixel: () => number;
  /** Called with the new value, between `least` and `most`; `null` restores the default. */
  onValue: (value: number | null) => void;
  className?: string;
}

const LOOKS = {
  x: "w-px cursor-col-resize before:inset-y-0 before:-inset-x-1",
  y: "h-px cursor-row-resize before:inset-x-0 before:-inset-y-1",
};

/** For each key, whether it decreases (-1) or increases (1) the value. */
const STEPS: Record<"x" | "y", Partial<Record<string, number>>> = {
  x: { ArrowLeft: -1, ArrowRight: 1 },
  y: { ArrowDown: -1, ArrowUp: 1 },
};

/**
 * The draggable line between two panes. The arrow keys, Home and End move the line as well. A double click or Enter
 * restores the default position.
 */
export function Divider({ axis = "x", label, controls, value, least, most, step, perPixel, onValue, className = "" }: Props) {
  const drag = useRef<{ at: number; value: number; perPixel: number } | null>(null);
  /** The pointer's position in pixels along the axis. It increases in the direction in which the value increases. */
  const placeOf = (event: PointerEvent) => (axis === "y" ? -event.clientY : event.clientX);
  const set = (next: number) => onValue(Math.round(Math.min(most, Math.max(least, next))));

  function onPointerDown(event: PointerEvent<HTMLDivElement>): void {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    drag.current = { at: placeOf(event), value, perPixel: perPixel() };
  }

  function onPointerMove(event: PointerEvent): void {
    const from = drag.current;
    if (from) set(from.value + (placeOf(event) - from.at) * from.perPixel);
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const direction = STEPS[axis][event.key];
    if (direction !== undefined) set(value + direction * step);
    else if (event.key === "Home") set(least);
    else if (event.key === "End") set(most);
    else if (event.key === "Enter") onValue(null);
    else return;
    event.preventDefault();
  }

  return (
    <Tooltip text="Drag, or use the arrow keys. A double click or Enter resets.">
      <div
        role="separator"
        aria-orientation={axis === "x" ? "vertical" : "horizontal"}
        aria-label={label}
        aria-controls={controls}
        aria-valuenow={Math.round(value)}
        aria-valuemin={least}
        aria-valuemax={most}
        tabIndex={0}
        onPointerDown={onPointerDown}
        onPointerMove={onPointerMove}
        onPointerUp={() => (drag.current = null)}
        onPointerCancel={() => (drag.current = null)}
        onDoubleClick={() => onValue(null)}
        onKeyDown={onKeyDown}
        className={`relative z-10 shrink-0 touch-none bg-line outline-none before:absolute hover:before:bg-accent/40 focus-visible:before:bg-accent ${LOOKS[axis]} ${className}`}
      />
    </Tooltip>
  );
}
