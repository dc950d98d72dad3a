/* eslint-disable jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/no-noninteractive-tabindex --
   a separator that has a value is a control: https://www.w3.org/TR/wai-aria-1.2/#separator */
import { useRef, type KeyboardEvent, type PointerEvent } from "react";

interface Props {
  /** What it changes, for screen readers. */
  label: string;
  /** The id of the pane before it. */
  controls: string;
  value: number;
  least: number;
  most: number;
  /** How much an arrow key changes. */
  step: number;
  /** How much of the value one pixel stands for. */
  perPixel: () => number;
  /** Called with a value within the limits; `null` goes back to what it was at first. */
  onValue: (value: number | null) => void;
  className?: string;
}

/** The line between two panes: dragged, moved by arrows, Home and End, reset by a double click. */
export function Divider({ label, controls, value, least, most, step, perPixel, onValue, className = "" }: Props) {
  const drag = useRef<{ x: number; value: number; perPixel: number } | null>(null);
  const set = (next: number) => onValue(Math.round(Math.min(most, Math.max(least, next))));

  function onPointerDown(event: PointerEvent<HTMLDivElement>): void {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    drag.current = { x: event.clientX, value, perPixel: perPixel() };
  }

  function onPointerMove(event: PointerEvent): void {
    const from = drag.current;
    if (from) set(from.value + (event.clientX - from.x) * from.perPixel);
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "ArrowLeft") set(value - step);
    else if (event.key === "ArrowRight") set(value + step);
    else if (event.key === "Home") set(least);
    else if (event.key === "End") set(most);
    else if (event.key === "Enter") onValue(null);
    else return;
    event.preventDefault();
  }

  return (
    <div
      role="separator"
      aria-orientation="vertical"
      aria-label={label}
      aria-controls={controls}
      aria-valuenow={Math.round(value)}
      aria-valuemin={least}
      aria-valuemax={most}
      tabIndex={0}
      title="Drag, or use the arrow keys. A double click or Enter resets."
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={() => (drag.current = null)}
      onPointerCancel={() => (drag.current = null)}
      onDoubleClick={() => onValue(null)}
      onKeyDown={onKeyDown}
      className={`relative z-10 w-px shrink-0 cursor-col-resize touch-none bg-line outline-none before:absolute before:inset-y-0 before:-inset-x-1 hover:before:bg-accent/40 focus-visible:before:bg-accent ${className}`}
    />
  );
}
