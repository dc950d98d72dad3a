/** Where a callout stands: beside what it tells of, and always whole within the window. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Box extends Size {
  readonly x: number;
  readonly y: number;
}

/** Between the callout and what it tells of, and between it and the window's edge. */
const GAP = 8;

function within(at: number, length: number, room: number): number {
  return Math.max(GAP, Math.min(at, room - length - GAP));
}

/**
 * Below it, above it, at its right or its left, wherever there is room first. What fills the window
 * has the callout in its lower right corner; without anything to point to it stands there too.
 */
export function placeBeside(target: Box | null, card: Size, window: Size): { x: number; y: number } {
  const corner = { x: within(window.width, card.width, window.width), y: within(window.height, card.height, window.height) };
  if (target === null) return corner;
  const x = within(target.x, card.width, window.width);
  const y = within(target.y, card.height, window.height);
  const fitsX = (at: number) => at >= GAP && at + card.width + GAP <= window.width;
  const fitsY = (at: number) => at >= GAP && at + card.height + GAP <= window.height;
  const below = target.y + target.height + GAP;
  const above = target.y - card.height - GAP;
  const right = target.x + target.width + GAP;
  const left = target.x - card.width - GAP;
  if (fitsY(below)) return { x, y: below };
  if (fitsY(above)) return { x, y: above };
  if (fitsX(right)) return { x: right, y };
  if (fitsX(left)) return { x: left, y };
  return corner;
}
