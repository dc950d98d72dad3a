// A separator with a value is a control: https://www.w3.org/TR/wai-aria-1.2/#separator
import { useRef, type KeyboardEvent, type PointerEvent } from "react";
import { Tooltip } from "./Tooltip";


interface Props {
  /** The way it moves: `x` between panes side by side, `y` above a pane that grows upwards. */
  axis?: "x" | "y";
  /** The name of the size that it changes, for screen readers. */
  label: string;
  /** The id of the pane before it. */
  controls: string;
  value: number;
  least: number;
  most: number;
  /** The step of an arrow key. */
  step: number;
  /** The change of the value per pixel. */
  perPixel: () => number;
  /** Called with a value within the limits; `null` goes back to what it was at first. */
  onValue: (value: number | null) => void;
  className?: string;
}

const LOOKS = {
  x: "w-px cursor-col-resize before:inset-y-0 before:-inset-x-1",
  y: "h-px cursor-row-resize before:inset-x-0 before:-inset-y-1",
};

/** The keys that make the value smaller and larger. */
const STEPS: Record<"x" | "y", Partial<Record<string, number>>> = {
  x: { ArrowLeft: -1, ArrowRight: 1 },
  y: { ArrowDown: -1, ArrowUp: 1 },
};

/** The line between two panes: dragged, moved by arrows, Home and End, reset by a double click. */
export function Divider({ axis = "x", label, controls, value, least, most, step, perPixel, onValue, className = "" }: Props) {
  const drag = useRef<{ at: number; value: number; perPixel: number } | null>(null);
  /** The pointer's position in the direction in which the value grows. */
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
