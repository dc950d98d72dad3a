/** Computes a position for a callout beside an element, always completely within the window. */
interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Box extends Size {
  readonly x: number;
  readonly y: number;
}

/** The distance between the callout and its element, and between the callout and the window's edge, in pixels. */
const GAP = 8;

function within(at: number, length: number, room: number): number {
  return Math.max(GAP, Math.min(at, room - length - GAP));
}

/** The edge of the callout that faces the element. */
export type Edge = "top" | "bottom" | "left" | "right";

interface Place {
  readonly x: number;
  readonly y: number;
  /** The edge with the arrow; `null` if the callout is in the corner and has no arrow. */
  readonly edge: Edge | null;
}

/**
 * Tries the positions below, above, to the right and to the left of the element, and returns the first one with enough
 * room. If no position has enough room, or if the element is missing, the callout is in the lower right corner.
 */
export function placeBeside(target: Box | null, card: Size, window: Size): Place {
  const corner = {
    x: within(window.width, card.width, window.width),
    y: within(window.height, card.height, window.height),
    edge: null,
  };
  if (target === null) return corner;
  const x = within(target.x, card.width, window.width);
  const y = within(target.y, card.height, window.height);
  const fitsX = (at: number) => at >= GAP && at + card.width + GAP <= window.width;
  const fitsY = (at: number) => at >= GAP && at + card.height + GAP <= window.height;
  const below = target.y + target.height + GAP;
  const above = target.y - card.height - GAP;
  const right = target.x + target.width + GAP;
  const left = target.x - card.width - GAP;
  if (fitsY(below)) return { x, y: below, edge: "top" };
  if (fitsY(above)) return { x, y: above, edge: "bottom" };
  if (fitsX(right)) return { x: right, y, edge: "left" };
  if (fitsX(left)) return { x: left, y, edge: "right" };
  return corner;
}

/** The minimum distance between the arrow and a corner of the callout, in pixels. */
const CORNER = 16;

/**
 * The position of the arrow on the callout's edge: opposite the middle of the element, but at least `CORNER` away
 * from the corners.
 */
export function arrowAt(target: Box, card: Size, { x, y, edge }: Place): { readonly x: number; readonly y: number } {
  const along = (middle: number, from: number, length: number) =>
    Math.max(from + CORNER, Math.min(middle, from + length - CORNER));
  if (edge === "left" || edge === "right") {
    return { x: edge === "left" ? x : x + card.width, y: along(target.y + target.height / 2, y, card.height) };
  }
  return { x: along(target.x + target.width / 2, x, card.width), y: edge === "bottom" ? y + card.height : y };
}
